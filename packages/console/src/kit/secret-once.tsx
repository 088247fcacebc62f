import { Alert, Button, Code, CopyButton, Group, Stack } from '@mantine/core';
import { mdiCheck, mdiContentCopy, mdiShieldLock } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { Icon } from './icon.js';

/** A secret that the service shows only once. */
export function SecretOnce({ label, secret }: { label: string; secret: string }) {
  const { t } = useTranslation();
  return (
    <Alert icon={<Icon path={mdiShieldLock} />} title={label}>
      <Stack gap="xs" align="start">
        {t('kit.shownOnce')}
        <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {secret}
        </Code>
        <Group>
          <CopyButton value={secret}>
            {({ copied, copy }) => (
              <Button
                // What had the keyboard before, a form, is gone.
                autoFocus
                size="xs"
                variant="default"
                leftSection={
                  copied ? <Icon path={mdiCheck} size={16} /> : <Icon path={mdiContentCopy} size={16} />
                }
                onClick={copy}
              >
                {copied ? t('kit.copied') : t('kit.copy')}
              </Button>
            )}
          </CopyButton>
        </Group>
      </Stack>
    </Alert>
  );
}
