import { Avatar, UnstyledButton, type UnstyledButtonProps, VisuallyHidden } from '@mantine/core';
import type { ComponentPropsWithRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../service/current-session.js';

/** The button of the user menu; it forwards the props that a menu gives its target. */
export function UserTarget(props: UnstyledButtonProps & ComponentPropsWithRef<'button'>) {
  const { t } = useTranslation();
  const { user } = useSession();
  return (
    <UnstyledButton {...props}>
      <VisuallyHidden>{t('shell.userMenu', { name: user.name })}</VisuallyHidden>
      <Avatar name={user.name} color="lynx" radius="xl" aria-hidden="true" />
    </UnstyledButton>
  );
}
