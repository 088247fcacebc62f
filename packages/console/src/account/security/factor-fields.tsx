import {
  Button,
  PasswordInput,
  type PasswordInputProps,
  Stack,
  Text,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { SecretOnce } from '../../kit/secret-once.js';

/** The password of the user who is signed in, where a session alone does not suffice. */
export function CurrentPassword(field: PasswordInputProps) {
  const { t } = useTranslation();
  return (
    <PasswordInput
      label={t('account.totp.password')}
      autoComplete="current-password"
      required
      data-autofocus
      {...field}
    />
  );
}

/** A code of the authenticator or a recovery code. */
export function AnyCode(field: TextInputProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      label={t('account.totp.anyCode')}
      description={t('account.totp.anyCodeHint')}
      autoComplete="one-time-code"
      required
      {...field}
    />
  );
}

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
