import type { AdminAccount } from '@lynceus/client';
import { ActionIcon, Badge, Menu, Text } from '@mantine/core';
import { mdiAccountPlus, mdiDelete, mdiDotsHorizontal, mdiPencil, mdiRestore } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { GivenName } from '../../kit/given-name.js';
import { Icon } from '../../kit/icon.js';
import { ListTable } from '../../kit/list-table.js';
import { Moment } from '../../kit/moment.js';
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
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('admin.accounts.more', { name: account.name })}
        >
          <Icon path={mdiDotsHorizontal} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon path={mdiPencil} size={16} />} onClick={() => onChange(account)}>
          {t('admin.accounts.change')}
        </Menu.Item>
        <Menu.Item leftSection={<Icon path={mdiAccountPlus} size={16} />} onClick={() => onInvite(account)}>
          {t('admin.accounts.invite')}
        </Menu.Item>
        {!account.deletion?.has_begun && (
          <Menu.Item
            {...(account.deletion ? {} : { color: 'red' })}
            leftSection={<Icon path={account.deletion ? mdiRestore : mdiDelete} size={16} />}
            onClick={() => onDelete(account)}
          >
            {t(account.deletion ? 'admin.accounts.undelete' : 'admin.accounts.delete')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
