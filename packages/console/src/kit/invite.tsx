import type { NewInvitation, Role } from '@lynceus/client';
import { Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { SecretOnce } from './copied-text.js';
import { RoleChoice } from './role-choice.js';
import { SaveForm } from './save-form.js';
import { useFormat } from './use-format.js';
import { Window } from './window.js';

/** Creates an invitation to an account and shows its link, once. */
export function Invite({
  title,
  firstRole,
  create,
  onCreated,
  onClose,
}: {
  title: string;
  firstRole: Role;
  create: (wanted: { email: string; role: Role }) => Promise<NewInvitation>;
  onCreated: () => unknown;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const { day } = useFormat();
  const form = useForm<{ email: string; role: Role }>({ initialValues: { email: '', role: firstRole } });
  const invite = useMutation({ mutationFn: create, onSuccess: onCreated });
  const created = invite.data;
  return (
    <Window onClose={onClose} title={title} closeOnClickOutside={!created}>
      {created ? (
        <Stack>
          <Text>
            {t('account.users.inviteText', {
              until: day(created.expires_at),
            })}
          </Text>
          <SecretOnce
            label={t('account.users.inviteCreated', { email: created.email })}
            secret={created.link}
            onDone={onClose}
          />
        </Stack>
      ) : (
        <SaveForm form={form} save={invite} submit={t('account.users.inviteSubmit')} isFullWidth>
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
        </SaveForm>
      )}
    </Window>
  );
}
