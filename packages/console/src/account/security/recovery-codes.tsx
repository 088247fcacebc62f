import { Button, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { SecretOnce } from '../../kit/secret-once.js';

/** The recovery codes of a second factor, which the service shows once. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Stack>
      <Text>{t('account.totp.codesText')}</Text>
      <SecretOnce label={t('account.totp.codes')} secret={codes.join('\n')} />
      <Button onClick={onClose}>{t('account.totp.done')}</Button>
    </Stack>
  );
}
