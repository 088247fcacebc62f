import { PasswordInput, type PasswordInputProps, TextInput, type TextInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';

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
