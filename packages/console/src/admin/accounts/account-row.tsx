import type { AdminAccount } from '@lynceus/client';
import { ActionIcon, Badge, Menu, Table } from '@mantine/core';
import { mdiAccountPlus, mdiDotsHorizontal, mdiPencil } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { GivenName } from '../../kit/given-name.js';
import { Icon } from '../../kit/icon.js';
import { Moment } from '../../kit/moment.js';
import { useFormat } from '../../kit/use-format.js';

export function AccountRow({
  account,
  onChange,
  onInvite,
}: {
  account: AdminAccount;
  onChange: () => void;
  onInvite: () => void;
}) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const { name, plan, calls, users, keys, created_at } = account;
  const used = number(calls.used);
  return (
    <Table.Tr>
      <Table.Td>
        <GivenName name={name} fw={500} size="sm" />
      </Table.Td>
      <Table.Td>
        <Badge variant="light" color={plan === 'paid' ? 'lynx' : 'gray'} tt="none">
          {t(`account.plan.${plan}`)}
        </Badge>
      </Table.Td>
      <Table.Td ta="end">
        {calls.limit === null ? used : t('admin.accounts.of', { used, limit: number(calls.limit) })}
      </Table.Td>
      <Table.Td ta="end">{number(users)}</Table.Td>
      <Table.Td ta="end">{number(keys)}</Table.Td>
      <Table.Td>
        <Moment at={created_at} />
      </Table.Td>
      <Table.Td ta="end">
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={t('admin.accounts.more', { name })}>
              <Icon path={mdiDotsHorizontal} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<Icon path={mdiPencil} size={16} />} onClick={onChange}>
              {t('admin.accounts.change')}
            </Menu.Item>
            <Menu.Item leftSection={<Icon path={mdiAccountPlus} size={16} />} onClick={onInvite}>
              {t('admin.accounts.invite')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Table.Td>
    </Table.Tr>
  );
}
