import type { NewInvitation, Role } from '@lynceus/client';
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { FormError } from './form-error.js';
import { RoleChoice } from './role-choice.js';
import { SecretOnce } from './secret-once.js';
import { Window } from './window.js';

/** Creates an invitation to an account and shows its link, once. */
export function Invite({
  title,
  firstRole,
  make,
  onMade,
  onClose,
}: {
  title: string;
  firstRole: Role;
  make: (wanted: { email: string; role: Role }) => Promise<NewInvitation>;
  onMade: () => unknown;
  onClose: () => void;
}) {
  const { t, i18n } = useTranslation();
  const form = useForm<{ email: string; role: Role }>({ initialValues: { email: '', role: firstRole } });
  const invite = useMutation({ mutationFn: make, onSuccess: onMade });
  const made = invite.data;
  return (
    <Window onClose={onClose} title={title} closeOnClickOutside={!made}>
      {made ? (
        <Stack>
          <Text>
            {t('account.users.inviteText', {
              until: new Date(made.expires_at).toLocaleString(i18n.language, { dateStyle: 'medium' }),
            })}
          </Text>
          <SecretOnce label={t('account.users.inviteMade', { email: made.email })} secret={made.link} />
          <Button onClick={onClose}>{t('account.users.inviteDone')}</Button>
        </Stack>
      ) : (
        <form onSubmit={form.onSubmit((values) => invite.mutate(values))}>
          <Stack>
            <TextInput
              type="email"
              label={t('account.users.inviteEmail')}
              autoComplete="off"
              required
              data-autofocus
              {...form.getInputProps('email')}
            />
            <RoleChoice
              label={t('account.users.inviteRole')}
              description={t(`account.roleHint.${form.values.role}`)}
              value={form.values.role}
              onChange={(role) => form.setFieldValue('role', role)}
            />
            <FormError error={invite.error} />
            <Button type="submit" loading={invite.isPending}>
              {t('account.users.inviteSubmit')}
            </Button>
          </Stack>
        </form>
      )}
    </Window>
  );
}
