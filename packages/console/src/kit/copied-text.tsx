import { Alert, Button, type ButtonProps, Code, CopyButton, Stack } from '@mantine/core';
import { mdiCheck, mdiContentCopy, mdiShieldLock } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import styles from './copied-text.module.css';
import { Icon } from './icon.js';

/** Text for a program, with a button that copies it. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <div className={styles['block']}>
      <Code block className={styles['code'] ?? ''} tabIndex={0} role="region" aria-label={label}>
        {code}
      </Code>
      <CopyText text={code} size="compact-sm" className={styles['copy'] ?? ''} />
    </div>
  );
}

/** A secret that the service shows only once. In a window, `onDone` closes it. */
export function SecretOnce({
  label,
  secret,
  onDone,
}: {
  label: string;
  secret: string;
  onDone?: () => void;
}) {
  const { t } = useTranslation();
  return (
    <>
      <Alert icon={<Icon path={mdiShieldLock} />} title={label}>
        <Stack gap="xs" align="start">
          {t('kit.shownOnce')}
          <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
            {secret}
          </Code>
          {/* The form that had the focus is gone. */}
          <CopyText text={secret} size="xs" autoFocus />
        </Stack>
      </Alert>
      {onDone && <Button onClick={onDone}>{t('kit.haveCopied')}</Button>}
    </>
  );
}

/** A button that copies a text to the clipboard. */
function CopyText({ text, ...props }: { text: string; autoFocus?: boolean } & ButtonProps) {
  const { t } = useTranslation();
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          leftSection={<Icon path={copied ? mdiCheck : mdiContentCopy} size={16} />}
          onClick={copy}
          {...props}
        >
          {copied ? t('kit.copied') : t('kit.copy')}
        </Button>
      )}
    </CopyButton>
  );
}
