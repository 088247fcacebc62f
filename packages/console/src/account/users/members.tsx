import type { Member, Role } from '@lynceus/client';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RoleChoice } from '../../kit/role-choice.js';
import { useAction } from '../../kit/use-action.js';
import { UserTable } from '../../kit/user-table.js';
import { useClient } from '../../service/client.js';
import { useSession } from '../../service/current-session.js';
import { sessionKey } from '../../service/session.js';
import { RevokeAccess } from './revoke-access.js';

/** The users of this account, for its owners. */
export function Members() {
  const { t } = useTranslation();
  const client = useClient();
  const { user } = useSession();
  return (
    <UserTable
      queryKey={['members', 'found']}
      readPage={client.members.page}
      mark={({ id }) => (id === user.id ? t('account.users.you') : null)}
      columns={[
        {
          name: t('account.users.column.role'),
          width: 150,
          cell: (member) => <MemberRole member={member} />,
        },
      ]}
      acts={(member) => member.id !== user.id && <Removal member={member} />}
    />
  );
}

const rankOf: Readonly<Record<Role, number>> = { reader: 0, member: 1, owner: 2 };

function MemberRole({ member }: { member: Member }) {
  const { id, name, role } = member;
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const { user } = useSession();
  const [lesser, setLesser] = useState<Role | null>(null);
  const onChanged = () => {
    if (id === user.id) queries.invalidateQueries({ queryKey: sessionKey });
    return queries.invalidateQueries({ queryKey: ['members'] });
  };
  const change = useAction({
    mutationFn: (wanted: Role) => client.members.change(id, { role: wanted }),
    onSuccess: onChanged,
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
        <RevokeAccess
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
        <RevokeAccess
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
