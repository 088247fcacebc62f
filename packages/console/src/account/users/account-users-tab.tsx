import { Button, Group, Stack, Title } from '@mantine/core';
import { mdiAccountPlus } from '@mdi/js';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../kit/icon.js';
import { Invite } from '../../kit/invite.js';
import { useClient } from '../../service/client.js';
import { Invitations } from './invitations.js';
import { Members } from './members.js';

/** Who belongs to the account, and who is invited. */
export function AccountUsersTab() {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const [isInviting, setIsInviting] = useState(false);
  return (
    <Stack gap="xl">
      <section aria-labelledby="account-members">
        <Group justify="space-between" mb="sm">
          <Title order={2} size="h4" id="account-members">
            {t('account.users.members')}
          </Title>
          <Button leftSection={<Icon path={mdiAccountPlus} size={18} />} onClick={() => setIsInviting(true)}>
            {t('account.users.invite')}
          </Button>
        </Group>
        <Members />
      </section>
      <Invitations />
      {isInviting && (
        <Invite
          title={t('account.users.inviteTitle')}
          firstRole="member"
          make={(wanted) => client.invitations.create(wanted)}
          onMade={() => queries.invalidateQueries({ queryKey: ['invitations'] })}
          onClose={() => setIsInviting(false)}
        />
      )}
    </Stack>
  );
}
