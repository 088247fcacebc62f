import type { AdminAccount } from '@lynceus/client';
import { Button, Group, Stack, Text } from '@mantine/core';
import { mdiPlus } from '@mdi/js';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Answered } from '../../kit/answered.js';
import { Icon } from '../../kit/icon.js';
import { Invite } from '../../kit/invite.js';
import { More, usePages } from '../../kit/more.js';
import { FormError } from '../../kit/save-form.js';
import { Window } from '../../kit/window.js';
import { useClient } from '../../service/client.js';
import { AccountForm } from './account-form.js';
import { AccountTable } from './account-table.js';
import { DeleteAccount } from './delete-account.js';

type Open =
  | { readonly what: 'create' }
  | { readonly what: 'change' | 'invite' | 'delete'; readonly account: AdminAccount }
  | null;

/** All accounts: plans, quotas and usage. */
export function AccountsTab() {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const [open, setOpen] = useState<Open>(null);
  const list = usePages(['admin', 'accounts'], (cursor, signal) =>
    client.admin.accountsPage({ cursor, signal }),
  );
  const close = () => setOpen(null);
  return (
    <>
      <Group justify="end" mb="sm">
        <Button leftSection={<Icon path={mdiPlus} size={16} />} onClick={() => setOpen({ what: 'create' })}>
          {t('admin.accounts.create')}
        </Button>
      </Group>
      <Answered query={list}>
        {(accounts) => (
          <>
            <AccountTable
              accounts={accounts}
              onChange={(account) => setOpen({ what: 'change', account })}
              onInvite={(account) => setOpen({ what: 'invite', account })}
              onDelete={(account) => setOpen({ what: 'delete', account })}
            />
            <More list={list} />
          </>
        )}
      </Answered>
      {open?.what === 'invite' && (
        <Invite
          title={t('admin.accounts.inviteTitle', { name: open.account.name })}
          firstRole="owner"
          create={(wanted) => client.admin.invite(open.account.id, wanted)}
          onCreated={() => queries.invalidateQueries({ queryKey: ['invitations'] })}
          onClose={close}
        />
      )}
      {open?.what === 'delete' && open.account.deletion === null && (
        <DeleteAccount account={open.account} onClose={close} />
      )}
      {open?.what === 'delete' && open.account.deletion !== null && (
        <UndeleteAccount account={open.account} onClose={close} />
      )}
      {(open?.what === 'create' || open?.what === 'change') && (
        <AccountForm account={open.what === 'change' ? open.account : null} onClose={close} />
      )}
    </>
  );
}

/** Reopens an account whose deletion has not started. */
function UndeleteAccount({ account, onClose }: { account: AdminAccount; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const open = useMutation({
    mutationFn: () => client.admin.undeleteAccount(account.id),
    onSuccess: () => {
      onClose();
      return queries.invalidateQueries({ queryKey: ['admin', 'accounts'] });
    },
  });
  return (
    <Window onClose={onClose} title={t('admin.accounts.undeleteTitle', { name: account.name })}>
      <Stack>
        <Text size="sm">{t('admin.accounts.undeleteText')}</Text>
        <FormError error={open.error} />
        <Button onClick={() => open.mutate()} loading={open.isPending} data-autofocus>
          {t('admin.accounts.undeleteYes')}
        </Button>
      </Stack>
    </Window>
  );
}
