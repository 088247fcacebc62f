import { PasswordInput, type PasswordInputProps, TextInput, type TextInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** The e-mail address by which a user signs in. */
export function EmailField(field: TextInputProps) {
  const { t } = useTranslation();
  return <TextInput type="email" label={t('signIn.email')} autoComplete="username" required {...field} />;
}

/** The user's name. */
export function UserNameField(field: TextInputProps) {
  const { t } = useTranslation();
  return <TextInput label={t('signIn.name')} autoComplete="name" required maxLength={200} {...field} />;
}

/** The password of a signed-in user, where the session alone is not enough. */
export function CurrentPassword(field: PasswordInputProps) {
  const { t } = useTranslation();
  return (
    <PasswordInput label={t('signIn.currentPassword')} autoComplete="current-password" required {...field} />
  );
}

/** A new password. */
export function NewPassword(field: PasswordInputProps) {
  const { t } = useTranslation();
  return (
    <PasswordInput
      label={t('signIn.newPassword')}
      description={t('signIn.passwordHint')}
      autoComplete="new-password"
      required
      {...field}
    />
  );
}

/** A code of the authenticator or a recovery code. */
export function CodeField(field: TextInputProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      label={t('signIn.code')}
      description={t('signIn.codeHint')}
      autoComplete="one-time-code"
      required
      {...field}
    />
  );
}
