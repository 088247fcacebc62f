import { Box, Button, Code, CopyButton } from '@mantine/core';
import { mdiCheck, mdiContentCopy } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { Icon } from './icon.js';

/** Text for a program, to be copied. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  const { t } = useTranslation();
  return (
    <Box pos="relative">
      <Code
        block
        mah={420}
        tabIndex={0}
        role="region"
        aria-label={label}
        style={{ overflow: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
        pe={110}
      >
        {code}
      </Code>
      <CopyButton value={code}>
        {({ copied, copy }) => (
          <Button
            pos="absolute"
            top={8}
            right={8}
            size="compact-sm"
            variant="default"
            leftSection={<Icon path={copied ? mdiCheck : mdiContentCopy} size={16} />}
            onClick={copy}
          >
            {copied ? t('kit.copied') : t('kit.copy')}
          </Button>
        )}
      </CopyButton>
    </Box>
  );
}
