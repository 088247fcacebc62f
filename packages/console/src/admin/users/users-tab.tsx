import type { AdminUser } from '@lynceus/client';
import { Badge, Button, Group, Modal, Stack, Table, Text } from '@mantine/core';
import { mdiAccountGroup } from '@mdi/js';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Answered } from '../../kit/answered.js';
import { useConfirm } from '../../kit/confirm.js';
import { Empty } from '../../kit/empty.js';
import { GivenName } from '../../kit/given-name.js';
import { Moment } from '../../kit/moment.js';
import { More } from '../../kit/more.js';
import { NoneFound } from '../../kit/none-found.js';
import { SearchField } from '../../kit/search-field.js';
import { SecretOnce } from '../../kit/secret-once.js';
import { useShowError } from '../../kit/tell-error.js';
import { usePages } from '../../kit/use-pages.js';
import { useSearch } from '../../kit/use-search.js';
import { useClient } from '../../service/client.js';

/** Everybody who signs in; a link lets one who forgot the password set another. */
export function UsersTab() {
  const { t } = useTranslation();
  const client = useClient();
  const onError = useShowError();
  const [made, setMade] = useState<{ readonly name: string; readonly link: string } | null>(null);
  const search = useSearch();
  const list = usePages(
    ['admin', 'users', search.wanted ?? ''],
    (cursor, signal) => client.admin.usersPage({ search: search.wanted, cursor, signal }),
    { isSearched: true },
  );
  const reset = useMutation({
    mutationFn: ({ id }: AdminUser) => client.admin.resetUser(id),
    onSuccess: ({ link }, { name }) => setMade({ name, link }),
    onError,
  });
  return (
    <>
      <Answered query={list}>
        {(users) =>
          users.length === 0 && search.wanted === undefined && search.typed === '' ? (
            <Empty icon={mdiAccountGroup} title={t('admin.users.none')} text={t('admin.users.noneText')} />
          ) : (
            <>
              <Group mb="sm">
                <SearchField label={t('account.people.search')} search={search} />
              </Group>
              {users.length === 0 ? (
                <NoneFound search={search.wanted ?? ''} />
              ) : (
                <Table.ScrollContainer minWidth={900}>
                  <Table verticalSpacing="sm" layout="fixed" highlightOnHover>
                    <Table.Thead>
                      <Table.Tr>
                        <Table.Th>{t('admin.users.column.who')}</Table.Th>
                        <Table.Th w={170}>{t('admin.users.column.account')}</Table.Th>
                        <Table.Th w={90}>{t('admin.users.column.role')}</Table.Th>
                        <Table.Th w={130}>{t('admin.users.column.factor')}</Table.Th>
                        <Table.Th w={190}>{t('admin.users.column.seen')}</Table.Th>
                        <Table.Th w={120} aria-label={t('kit.acts')} />
                      </Table.Tr>
                    </Table.Thead>
                    <Table.Tbody>
                      {users.map((user) => (
                        <UserRow key={user.id} user={user} onReset={() => reset.mutate(user)} />
                      ))}
                    </Table.Tbody>
                  </Table>
                </Table.ScrollContainer>
              )}
              <More list={list} />
            </>
          )
        }
      </Answered>
      {made && (
        <Modal
          opened
          onClose={() => setMade(null)}
          title={t('admin.users.reset')}
          closeOnClickOutside={false}
          closeButtonProps={{ 'aria-label': t('kit.close') }}
        >
          <Stack>
            <SecretOnce label={t('admin.users.resetMade', { name: made.name })} secret={made.link} />
            <Button onClick={() => setMade(null)}>{t('admin.users.resetDone')}</Button>
          </Stack>
        </Modal>
      )}
    </>
  );
}

function UserRow({ user, onReset }: { user: AdminUser; onReset: () => void }) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const { name, email, role, account, is_administrator, has_totp, signed_in_at } = user;
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs" wrap="nowrap">
          <GivenName name={name} fw={500} size="sm" />
          {is_administrator && (
            <Badge variant="light" tt="none" style={{ flexShrink: 0 }}>
              {t('account.people.administrator')}
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed" truncate="end" title={email}>
          {email}
        </Text>
      </Table.Td>
      <Table.Td>
        <GivenName name={account.name} size="sm" />
      </Table.Td>
      <Table.Td>{t(`account.role.${role}`)}</Table.Td>
      <Table.Td>{t(has_totp ? 'account.people.yes' : 'account.people.no')}</Table.Td>
      <Table.Td>{signed_in_at === null ? t('account.people.never') : <Moment at={signed_in_at} />}</Table.Td>
      <Table.Td ta="end">
        <Button
          size="compact-sm"
          variant="subtle"
          aria-label={t('admin.users.resetNamed', { name })}
          onClick={() =>
            confirm({
              title: t('admin.users.resetTitle', { name }),
              text: t('admin.users.resetText'),
              yes: t('admin.users.resetYes'),
              onYes: onReset,
            })
          }
        >
          {t('admin.users.reset')}
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}
