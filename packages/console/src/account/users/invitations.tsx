import type { Invitation } from '@lynceus/client';
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useConfirm } from '../../kit/confirm.js';
import { GivenName } from '../../kit/given-name.js';
import { Moment } from '../../kit/moment.js';
import { More, usePages } from '../../kit/more.js';
import { useAction } from '../../kit/use-action.js';
import { useClient } from '../../service/client.js';

/** Open invitations; nothing without any. */
export function Invitations() {
  const { t } = useTranslation();
  const client = useClient();
  const list = usePages(['invitations'], (cursor, signal) => client.invitations.page({ cursor, signal }));
  if (!list.data || list.data.length === 0) return null;
  return (
    <section aria-labelledby="account-invitations">
      <Title order={2} size="h4" mb="sm" id="account-invitations">
        {t('account.users.invitations')}
      </Title>
      <Stack component="ul" gap="sm" p={0} m={0} maw={640} style={{ listStyle: 'none' }}>
        {list.data.map((invitation) => (
          <OneInvitation key={invitation.id} invitation={invitation} />
        ))}
      </Stack>
      <More list={list} />
    </section>
  );
}

function OneInvitation({ invitation }: { invitation: Invitation }) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const confirm = useConfirm();
  const { id, email, role, expires_at } = invitation;
  const withdraw = useAction({
    mutationFn: () => client.invitations.withdraw(id),
    onSettled: () => queries.invalidateQueries({ queryKey: ['invitations'] }),
  });
  return (
    <Group component="li" justify="space-between" wrap="nowrap">
      <div style={{ minWidth: 0 }}>
        <GivenName name={email} fw={500} size="sm" />
        <Text size="xs" c="dimmed">
          {t(`account.role.${role}`)} · {t('account.users.until')} <Moment at={expires_at} />
        </Text>
      </div>
      <Button
        size="compact-sm"
        variant="subtle"
        color="red"
        style={{ flexShrink: 0 }}
        loading={withdraw.isPending}
        aria-label={t('account.users.withdrawNamed', { email })}
        onClick={() =>
          confirm({
            title: t('account.users.withdrawTitle', { email }),
            text: t('account.users.withdrawText'),
            yes: t('account.users.withdraw'),
            onYes: () => withdraw.mutate(),
          })
        }
      >
        {t('account.users.withdraw')}
      </Button>
    </Group>
  );
}
