import type { Member, Page } from '@lynceus/client';
import { Badge, Group, Text } from '@mantine/core';
import type { QueryKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Answered } from './answered.js';
import { GivenName } from './given-name.js';
import { type Column, ListTable } from './list-table.js';
import { Moment } from './moment.js';
import { More, usePages } from './more.js';
import { SearchField, useSearch } from './search-field.js';

/** Users with a search by name or e-mail address: name, the given columns, second factor, last sign-in and actions. */
export function UserTable<User extends Member>({
  queryKey,
  readPage,
  mark,
  columns,
  acts,
}: {
  queryKey: QueryKey;
  readPage: (query: {
    search: string | undefined;
    cursor: string | undefined;
    signal: AbortSignal;
  }) => Promise<Page<User>>;
  /** A badge beside the name. */
  mark: (user: User) => string | null;
  columns: readonly Column<User>[];
  acts: (user: User) => ReactNode;
}) {
  const { t } = useTranslation();
  const search = useSearch();
  const list = usePages(
    [...queryKey, search.wanted ?? ''],
    (cursor, signal) => readPage({ search: search.wanted, cursor, signal }),
    { isSearched: true },
  );
  const all: readonly Column<User>[] = [
    {
      name: t('account.users.column.who'),
      cell: (user) => (
        <>
          <Group gap="xs" wrap="nowrap">
            <GivenName name={user.name} fw={500} size="sm" />
            {mark(user) !== null && (
              <Badge variant="light" style={{ flexShrink: 0 }}>
                {mark(user)}
              </Badge>
            )}
          </Group>
          <Text size="xs" c="dimmed" truncate="end" title={user.email}>
            {user.email}
          </Text>
        </>
      ),
    },
    ...columns,
    {
      name: t('account.users.column.factor'),
      width: 130,
      cell: ({ has_totp }) => t(has_totp ? 'account.users.yes' : 'account.users.no'),
    },
    {
      name: t('account.users.column.seen'),
      width: 150,
      cell: ({ signed_in_at }) =>
        signed_in_at === null ? t('account.users.never') : <Moment at={signed_in_at} />,
    },
    { name: t('kit.acts'), width: 110, isAtEnd: true, isSpokenAlone: true, cell: acts },
  ];
  return (
    <Answered query={list}>
      {(users) => (
        <>
          <Group mb="sm">
            <SearchField label={t('account.users.search')} value={search.typed} onChange={search.onType} />
          </Group>
          {users.length === 0 ? (
            <Text c="dimmed" role="status" my="md">
              {t('kit.noneFound', { search: search.wanted ?? '' })}
            </Text>
          ) : (
            <ListTable items={users} keyOf={({ id }) => id} columns={all} />
          )}
          <More list={list} />
        </>
      )}
    </Answered>
  );
}
