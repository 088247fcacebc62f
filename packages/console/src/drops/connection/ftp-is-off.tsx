import { Alert, Stack } from '@mantine/core';
import { mdiPowerPlugOff } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { CodeBlock } from '../../kit/code-block.js';
import { Icon } from '../../kit/icon.js';

/** Said wherever somebody would wonder why nothing comes in. */
export function FtpIsOff() {
  const { t } = useTranslation();
  return (
    <Alert color="orange" icon={<Icon path={mdiPowerPlugOff} />} title={t('drops.off.title')} mb="md">
      <Stack gap="xs">
        {t('drops.off.text')}
        <CodeBlock label={t('drops.off.how')} code="LYNCEUS_FTP_PORT=2121 npm start" />
      </Stack>
    </Alert>
  );
}
