import { Button, Code, CopyButton } from '@mantine/core';
import { mdiCheck, mdiContentCopy } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import styles from './code-block.module.css';
import { Icon } from './icon.js';

/** Text for a program, to be copied. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  const { t } = useTranslation();
  return (
    <div className={styles['block']}>
      <Code block className={styles['code'] ?? ''} tabIndex={0} role="region" aria-label={label}>
        {code}
      </Code>
      <CopyButton value={code}>
        {({ copied, copy }) => (
          <Button
            className={styles['copy'] ?? ''}
            size="compact-sm"
            variant="default"
            leftSection={<Icon path={copied ? mdiCheck : mdiContentCopy} size={16} />}
            onClick={copy}
          >
            {copied ? t('kit.copied') : t('kit.copy')}
          </Button>
        )}
      </CopyButton>
    </div>
  );
}
