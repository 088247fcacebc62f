import type { AdminAccount } from '@lynceus/client';
import { Button, Group, Table } from '@mantine/core';
import { mdiPlus } from '@mdi/js';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Answered } from '../../kit/answered.js';
import { Icon } from '../../kit/icon.js';
import { Invite } from '../../kit/invite.js';
import { More } from '../../kit/more.js';
import { usePages } from '../../kit/use-pages.js';
import { useClient } from '../../service/client.js';
import { AccountForm } from './account-form.js';
import { AccountRow } from './account-row.js';

type Open =
  | { readonly what: 'make' }
  | { readonly what: 'change' | 'invite'; readonly account: AdminAccount }
  | null;

/** All accounts: plans, allowances, how much is used. */
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
        <Button leftSection={<Icon path={mdiPlus} size={16} />} onClick={() => setOpen({ what: 'make' })}>
          {t('admin.accounts.make')}
        </Button>
      </Group>
      <Answered query={list}>
        {(accounts) => (
          <>
            <Table.ScrollContainer minWidth={820}>
              <Table verticalSpacing="sm" layout="fixed" highlightOnHover>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('admin.accounts.column.name')}</Table.Th>
                    <Table.Th w={90}>{t('admin.accounts.column.plan')}</Table.Th>
                    <Table.Th w={160} ta="end">
                      {t('admin.accounts.column.calls')}
                    </Table.Th>
                    <Table.Th w={80} ta="end">
                      {t('admin.accounts.column.people')}
                    </Table.Th>
                    <Table.Th w={80} ta="end">
                      {t('admin.accounts.column.keys')}
                    </Table.Th>
                    <Table.Th w={190}>{t('admin.accounts.column.made')}</Table.Th>
                    <Table.Th w={60} aria-label={t('kit.acts')} />
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {accounts.map((account) => (
                    <AccountRow
                      key={account.id}
                      account={account}
                      onChange={() => setOpen({ what: 'change', account })}
                      onInvite={() => setOpen({ what: 'invite', account })}
                    />
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
            <More list={list} />
          </>
        )}
      </Answered>
      {open?.what === 'invite' && (
        <Invite
          title={t('admin.accounts.inviteTitle', { name: open.account.name })}
          firstRole="owner"
          make={(wanted) => client.admin.invite(open.account.id, wanted)}
          onMade={() => queries.invalidateQueries({ queryKey: ['invitations'] })}
          onClose={close}
        />
      )}
      {(open?.what === 'make' || open?.what === 'change') && (
        <AccountForm account={open.what === 'change' ? open.account : null} onClose={close} />
      )}
    </>
  );
}
