import type { AdminUser } from '@lynceus/client';
import { Button, Group, Stack } from '@mantine/core';
import { mdiAccountGroup } from '@mdi/js';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Answered } from '../../kit/answered.js';
import { useConfirm } from '../../kit/confirm.js';
import { Empty } from '../../kit/empty.js';
import { useShowError } from '../../kit/error-text.js';
import { GivenName } from '../../kit/given-name.js';
import { ListTable } from '../../kit/list-table.js';
import { Moment } from '../../kit/moment.js';
import { More, usePages } from '../../kit/more.js';
import { NoneFound } from '../../kit/none-found.js';
import { SearchField, useSearch } from '../../kit/search-field.js';
import { SecretOnce } from '../../kit/secret-once.js';
import { UserName } from '../../kit/user-name.js';
import { Window } from '../../kit/window.js';
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
                <SearchField
                  label={t('account.users.search')}
                  value={search.typed}
                  onChange={search.onType}
                />
              </Group>
              {users.length === 0 ? (
                <NoneFound search={search.wanted ?? ''} />
              ) : (
                <ListTable
                  items={users}
                  keyOf={({ id }) => id}
                  columns={[
                    {
                      name: t('admin.users.column.who'),
                      cell: ({ name, email, is_administrator }) => (
                        <UserName
                          name={name}
                          email={email}
                          mark={is_administrator ? t('account.users.administrator') : null}
                        />
                      ),
                    },
                    {
                      name: t('admin.users.column.account'),
                      width: 170,
                      cell: ({ account }) => <GivenName name={account.name} size="sm" />,
                    },
                    {
                      name: t('admin.users.column.role'),
                      width: 90,
                      cell: ({ role }) => t(`account.role.${role}`),
                    },
                    {
                      name: t('admin.users.column.factor'),
                      width: 130,
                      cell: ({ has_totp }) => t(has_totp ? 'account.users.yes' : 'account.users.no'),
                    },
                    {
                      name: t('admin.users.column.seen'),
                      width: 130,
                      cell: ({ signed_in_at }) =>
                        signed_in_at === null ? t('account.users.never') : <Moment at={signed_in_at} />,
                    },
                    {
                      name: t('kit.acts'),
                      width: 110,
                      isAtEnd: true,
                      isSpokenAlone: true,
                      cell: (user) => <Reset name={user.name} onReset={() => reset.mutate(user)} />,
                    },
                  ]}
                />
              )}
              <More list={list} />
            </>
          )
        }
      </Answered>
      {made && (
        <Window onClose={() => setMade(null)} title={t('admin.users.reset')} closeOnClickOutside={false}>
          <Stack>
            <SecretOnce label={t('admin.users.resetMade', { name: made.name })} secret={made.link} />
            <Button onClick={() => setMade(null)}>{t('admin.users.resetDone')}</Button>
          </Stack>
        </Window>
      )}
    </>
  );
}

function Reset({ name, onReset }: { name: string; onReset: () => void }) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  return (
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
  );
}
