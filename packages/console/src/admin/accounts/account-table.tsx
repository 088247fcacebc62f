import type { AdminAccount } from '@lynceus/client';
import { Badge, Text } from '@mantine/core';
import { mdiAccountPlus, mdiDelete, mdiPencil, mdiRestore } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { GivenName } from '../../kit/given-name.js';
import { ListTable } from '../../kit/list-table.js';
import { Moment } from '../../kit/moment.js';
import { ActionItem, ResourceMenu } from '../../kit/resource-menu.js';
import { useFormat } from '../../kit/use-format.js';

interface AccountActions {
  readonly onChange: (account: AdminAccount) => void;
  readonly onInvite: (account: AdminAccount) => void;
  readonly onDelete: (account: AdminAccount) => void;
}

export function AccountTable({
  accounts,
  ...actions
}: { accounts: readonly AdminAccount[] } & AccountActions) {
  const { t } = useTranslation();
  const { number } = useFormat();
  return (
    <ListTable
      items={accounts}
      keyOf={({ id }) => id}
      columns={[
        {
          name: t('admin.accounts.column.name'),
          cell: ({ name, deletion }) => (
            <>
              <GivenName name={name} fw={500} size="sm" />
              {deletion && (
                <Text size="xs" c="dimmed">
                  {t(deletion.has_begun ? 'admin.accounts.beingDeleted' : 'admin.accounts.closed')}{' '}
                  {!deletion.has_begun && <Moment at={deletion.due_at} />}
                </Text>
              )}
            </>
          ),
        },
        {
          name: t('admin.accounts.column.plan'),
          width: 90,
          cell: ({ plan }) => (
            <Badge variant="light" color={plan === 'paid' ? 'lynx' : 'gray'}>
              {t(`account.plan.${plan}`)}
            </Badge>
          ),
        },
        {
          name: t('admin.accounts.column.calls'),
          width: 150,
          isAtEnd: true,
          cell: ({ calls: { used, limit } }) =>
            limit === null
              ? number(used)
              : t('admin.accounts.of', { used: number(used), limit: number(limit) }),
        },
        {
          name: t('admin.accounts.column.users'),
          width: 80,
          isAtEnd: true,
          cell: ({ users }) => number(users),
        },
        {
          name: t('admin.accounts.column.keys'),
          width: 80,
          isAtEnd: true,
          cell: ({ keys }) => number(keys),
        },
        {
          name: t('admin.accounts.column.created'),
          width: 180,
          cell: ({ created_at }) => <Moment at={created_at} />,
        },
        {
          name: t('kit.acts'),
          width: 60,
          isAtEnd: true,
          isSpokenAlone: true,
          cell: (account) => <AccountMenu account={account} {...actions} />,
        },
      ]}
    />
  );
}

function AccountMenu({ account, onChange, onInvite, onDelete }: { account: AdminAccount } & AccountActions) {
  const { t } = useTranslation();
  return (
    <ResourceMenu label={t('admin.accounts.more', { name: account.name })} look="row">
      <ActionItem icon={mdiPencil} onClick={() => onChange(account)}>
        {t('admin.accounts.change')}
      </ActionItem>
      <ActionItem icon={mdiAccountPlus} onClick={() => onInvite(account)}>
        {t('admin.accounts.invite')}
      </ActionItem>
      {!account.deletion?.has_begun && (
        <ActionItem
          {...(account.deletion ? {} : { color: 'red' })}
          icon={account.deletion ? mdiRestore : mdiDelete}
          onClick={() => onDelete(account)}
        >
          {t(account.deletion ? 'admin.accounts.undelete' : 'admin.accounts.delete')}
        </ActionItem>
      )}
    </ResourceMenu>
  );
}
