import type { ApiKey } from '@lynceus/client';
import { Badge, Button, Code, Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useConfirm } from '../kit/confirm.js';
import { GivenName } from '../kit/given-name.js';
import { ListTable } from '../kit/list-table.js';
import { Moment } from '../kit/moment.js';
import { useAction } from '../kit/use-action.js';
import { useFormat } from '../kit/use-format.js';
import { useClient } from '../service/client.js';
import { useMayChange, useSession } from '../service/current-session.js';
import { protocolNames } from './client-kinds.js';

const colours: Readonly<Record<KeyState, string>> = { good: 'lynx', expired: 'gray', revoked: 'gray' };

export function KeyTable({ keys }: { keys: readonly ApiKey[] }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const mayChange = useMayChange();
  // Only owners may read the names of users.
  const showsCreators = useSession().user.role === 'owner';
  return (
    <ListTable
      items={keys}
      keyOf={({ id }) => id}
      columns={[
        { name: t('keys.column.name'), cell: ({ name }) => <GivenName name={name} fw={500} size="sm" /> },
        {
          name: t('keys.column.state'),
          width: 190,
          cell: (key) => (
            <Group gap={4}>
              <Badge variant="light" color={colours[stateOfKey(key)]}>
                {t(`keys.state.${stateOfKey(key)}`)}
              </Badge>
              {key.compat && (
                <Badge variant="light" color="blue">
                  {t('keys.state.compat', { protocol: protocolNames[key.compat.protocol] })}
                </Badge>
              )}
              {key.scope === 'drop' && (
                <Badge variant="light" color="blue">
                  {t('keys.state.drop')}
                </Badge>
              )}
            </Group>
          ),
        },
        { name: t('keys.column.prefix'), width: 130, cell: ({ prefix }) => <Code>{prefix}…</Code> },
        {
          name: t('keys.column.calls'),
          width: 120,
          isAtEnd: true,
          cell: ({ calls_used, call_limit }) =>
            call_limit === null
              ? number(calls_used)
              : t('keys.of', { used: number(calls_used), limit: number(call_limit) }),
        },
        {
          name: t('keys.column.created'),
          width: 150,
          cell: ({ created_at, created_by: { kind, name, user_id } }) => (
            <>
              <Moment at={created_at} />
              {showsCreators && (
                <GivenName
                  name={t('keys.by', {
                    name: name ?? t(`keys.creator.${user_id === null ? kind : 'left'}`),
                  })}
                  size="xs"
                  c="dimmed"
                />
              )}
            </>
          ),
        },
        {
          name: t('keys.column.ends'),
          width: 130,
          cell: ({ expires_at }) => (expires_at === null ? t('keys.never') : <Moment at={expires_at} />),
        },
        ...(mayChange
          ? [
              {
                name: t('kit.acts'),
                width: 100,
                isAtEnd: true,
                isSpokenAlone: true,
                cell: (key: ApiKey) => stateOfKey(key) !== 'revoked' && <Revoke apiKey={key} />,
              },
            ]
          : []),
      ]}
    />
  );
}
function Revoke({ apiKey }: { apiKey: ApiKey }) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const confirm = useConfirm();
  const { name } = apiKey;
  // `force`: the last key may be revoked too, since the user has a session.
  const revoke = useAction({
    mutationFn: () => client.keys.revoke(apiKey.id, { force: true }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys'] }),
  });
  const ask = () =>
    confirm({
      title: t('keys.revokeTitle', { name }),
      text: t('keys.revokeText'),
      yes: t('keys.revoke'),
      onYes: () => revoke.mutate(),
    });
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      color="red"
      loading={revoke.isPending}
      onClick={ask}
      aria-label={t('keys.revokeNamed', { name })}
    >
      {t('keys.revoke')}
    </Button>
  );
}

export type KeyState = 'good' | 'expired' | 'revoked';

export function stateOfKey(key: ApiKey): KeyState {
  if (key.revoked_at !== null) return 'revoked';
  return key.expires_at !== null && Date.parse(key.expires_at) <= Date.now() ? 'expired' : 'good';
}
