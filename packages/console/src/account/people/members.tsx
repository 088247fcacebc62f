import type { Member, Role } from '@lynceus/client';
import { Button, Group } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Answered } from '../../kit/answered.js';
import { useConfirm } from '../../kit/confirm.js';
import { ListTable } from '../../kit/list-table.js';
import { Moment } from '../../kit/moment.js';
import { More } from '../../kit/more.js';
import { NoneFound } from '../../kit/none-found.js';
import { RoleChoice } from '../../kit/role-choice.js';
import { SearchField } from '../../kit/search-field.js';
import { useShowError } from '../../kit/tell-error.js';
import { usePages } from '../../kit/use-pages.js';
import { useSearch } from '../../kit/use-search.js';
import { UserName } from '../../kit/user-name.js';
import { useClient } from '../../service/client.js';
import { useSession } from '../../service/current-session.js';
import { sessionKey } from '../../service/session.js';

export function Members() {
  const { t } = useTranslation();
  const client = useClient();
  const search = useSearch();
  const { user } = useSession();
  const list = usePages(
    ['members', 'found', search.wanted ?? ''],
    (cursor, signal) => client.members.page({ search: search.wanted, cursor, signal }),
    { isSearched: true },
  );
  return (
    <Answered query={list}>
      {(members) => (
        <>
          <Group mb="sm">
            <SearchField label={t('account.people.search')} value={search.typed} onChange={search.onType} />
          </Group>
          {members.length === 0 ? (
            <NoneFound search={search.wanted ?? ''} />
          ) : (
            <ListTable
              items={members}
              keyOf={({ id }) => id}
              columns={[
                {
                  name: t('account.people.column.who'),
                  cell: ({ id, name, email }) => (
                    <UserName
                      name={name}
                      email={email}
                      mark={id === user.id ? t('account.people.you') : null}
                    />
                  ),
                },
                {
                  name: t('account.people.column.role'),
                  width: 150,
                  cell: (member) => <MemberRole member={member} />,
                },
                {
                  name: t('account.people.column.factor'),
                  width: 130,
                  cell: ({ has_totp }) => t(has_totp ? 'account.people.yes' : 'account.people.no'),
                },
                {
                  name: t('account.people.column.seen'),
                  width: 180,
                  cell: ({ signed_in_at }) =>
                    signed_in_at === null ? t('account.people.never') : <Moment at={signed_in_at} />,
                },
                {
                  name: t('kit.acts'),
                  width: 110,
                  isAtEnd: true,
                  isSpokenAlone: true,
                  cell: (member) => member.id !== user.id && <Removal member={member} />,
                },
              ]}
            />
          )}
          <More list={list} />
        </>
      )}
    </Answered>
  );
}

function MemberRole({ member: { id, name, role } }: { member: Member }) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const onError = useShowError();
  const { user } = useSession();
  const change = useMutation({
    mutationFn: (wanted: Role) => client.members.change(id, { role: wanted }),
    onSuccess: () => {
      if (id === user.id) queries.invalidateQueries({ queryKey: sessionKey });
      return queries.invalidateQueries({ queryKey: ['members'] });
    },
    onError,
  });
  return (
    <RoleChoice
      size="xs"
      aria-label={t('account.people.roleOf', { name })}
      value={role}
      disabled={change.isPending}
      onChange={(wanted) => wanted !== role && change.mutate(wanted)}
    />
  );
}

function Removal({ member: { id, name } }: { member: Member }) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const confirm = useConfirm();
  const onError = useShowError();
  const remove = useMutation({
    mutationFn: () => client.members.remove(id),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['members'] }),
    onError,
  });
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      color="red"
      loading={remove.isPending}
      aria-label={`${t('account.people.remove')}: ${name}`}
      onClick={() =>
        confirm({
          title: t('account.people.removeTitle', { name }),
          text: t('account.people.removeText'),
          yes: t('account.people.remove'),
          onYes: () => remove.mutate(),
        })
      }
    >
      {t('account.people.remove')}
    </Button>
  );
}
