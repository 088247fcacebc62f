import { Avatar, UnstyledButton, type UnstyledButtonProps, VisuallyHidden } from '@mantine/core';
import type { ComponentPropsWithRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../service/current-session.js';

/** What opens the menu of the person; it passes on what a menu asks of its target. */
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
