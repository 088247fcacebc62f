import type { Member, Role } from '@lynceus/client';
import { Button, Group } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Answered } from '../../kit/answered.js';
import { useShowError } from '../../kit/error-text.js';
import { ListTable } from '../../kit/list-table.js';
import { Moment } from '../../kit/moment.js';
import { More, usePages } from '../../kit/more.js';
import { NoneFound } from '../../kit/none-found.js';
import { RoleChoice } from '../../kit/role-choice.js';
import { SearchField, useSearch } from '../../kit/search-field.js';
import { UserName } from '../../kit/user-name.js';
import { useClient } from '../../service/client.js';
import { useSession } from '../../service/current-session.js';
import { sessionKey } from '../../service/session.js';
import { TakeBack } from './take-back.js';

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
            <SearchField label={t('account.users.search')} value={search.typed} onChange={search.onType} />
          </Group>
          {members.length === 0 ? (
            <NoneFound search={search.wanted ?? ''} />
          ) : (
            <ListTable
              items={members}
              keyOf={({ id }) => id}
              columns={[
                {
                  name: t('account.users.column.who'),
                  cell: ({ id, name, email }) => (
                    <UserName
                      name={name}
                      email={email}
                      mark={id === user.id ? t('account.users.you') : null}
                    />
                  ),
                },
                {
                  name: t('account.users.column.role'),
                  width: 150,
                  cell: (member) => <MemberRole member={member} />,
                },
                {
                  name: t('account.users.column.factor'),
                  width: 130,
                  cell: ({ has_totp }) => t(has_totp ? 'account.users.yes' : 'account.users.no'),
                },
                {
                  name: t('account.users.column.seen'),
                  width: 180,
                  cell: ({ signed_in_at }) =>
                    signed_in_at === null ? t('account.users.never') : <Moment at={signed_in_at} />,
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

const rankOf: Readonly<Record<Role, number>> = { reader: 0, member: 1, owner: 2 };

function MemberRole({ member }: { member: Member }) {
  const { id, name, role } = member;
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const onError = useShowError();
  const { user } = useSession();
  const [lesser, setLesser] = useState<Role | null>(null);
  const onChanged = () => {
    if (id === user.id) queries.invalidateQueries({ queryKey: sessionKey });
    return queries.invalidateQueries({ queryKey: ['members'] });
  };
  const change = useMutation({
    mutationFn: (wanted: Role) => client.members.change(id, { role: wanted }),
    onSuccess: onChanged,
    onError,
  });
  return (
    <>
      <RoleChoice
        size="xs"
        aria-label={t('account.users.roleOf', { name })}
        value={role}
        disabled={change.isPending}
        onChange={(wanted) => {
          if (rankOf[wanted] < rankOf[role]) setLesser(wanted);
          else if (wanted !== role) change.mutate(wanted);
        }}
      />
      {lesser && (
        <TakeBack
          member={member}
          title={t('account.users.demoteTitle', { name, role: t(`account.role.${lesser}`) })}
          text={t(role === 'owner' ? 'account.users.demoteOwnerText' : 'account.users.demoteText')}
          yes={t('account.users.demote')}
          apply={async (choices) => (await client.members.change(id, { role: lesser, ...choices })).receipt}
          onDone={onChanged}
          onClose={() => setLesser(null)}
        />
      )}
    </>
  );
}

function Removal({ member }: { member: Member }) {
  const { id, name } = member;
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        color="red"
        aria-label={`${t('account.users.remove')}: ${name}`}
        onClick={() => setIsAsking(true)}
      >
        {t('account.users.remove')}
      </Button>
      {isAsking && (
        <TakeBack
          member={member}
          title={t('account.users.removeTitle', { name })}
          text={t('account.users.removeText')}
          yes={t('account.users.remove')}
          apply={(choices) => client.members.remove(id, choices)}
          onDone={() => queries.invalidateQueries({ queryKey: ['members'] })}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  );
}
