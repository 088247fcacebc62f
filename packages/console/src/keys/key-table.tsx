import type { ApiKey } from '@lynceus/client';
import { Badge, Button, Code, Group, Table, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useConfirm } from '../kit/confirm.js';
import { Moment } from '../kit/moment.js';
import { useShowError } from '../kit/tell-error.js';
import { useClient } from '../service/client.js';
import { useMayChange } from '../service/current-session.js';
import { type KeyState, stateOfKey } from './key-state.js';

const colours: Readonly<Record<KeyState, string>> = { good: 'teal', expired: 'gray', revoked: 'gray' };

export function KeyTable({ keys }: { keys: readonly ApiKey[] }) {
  const { t, i18n } = useTranslation();
  const mayChange = useMayChange();
  const number = (value: number) => value.toLocaleString(i18n.language);
  return (
    <Table.ScrollContainer minWidth={640}>
      <Table verticalSpacing="sm" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('keys.column.name')}</Table.Th>
            <Table.Th>{t('keys.column.prefix')}</Table.Th>
            <Table.Th ta="end">{t('keys.column.calls')}</Table.Th>
            <Table.Th>{t('keys.column.made')}</Table.Th>
            <Table.Th>{t('keys.column.ends')}</Table.Th>
            <Table.Th>{t('keys.column.state')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keys.map((key) => (
            <Table.Tr key={key.id}>
              <Table.Td>
                <Text span fw={500}>
                  {key.name}
                </Text>
              </Table.Td>
              <Table.Td>
                <Code>{key.prefix}…</Code>
              </Table.Td>
              <Table.Td ta="end">
                {key.call_limit === null
                  ? number(key.calls_used)
                  : t('keys.of', { used: number(key.calls_used), limit: number(key.call_limit) })}
              </Table.Td>
              <Table.Td>
                <Moment at={key.created_at} />
              </Table.Td>
              <Table.Td>
                {key.expires_at === null ? t('keys.never') : <Moment at={key.expires_at} />}
              </Table.Td>
              <Table.Td>
                <Group gap="xs" justify="space-between" wrap="nowrap">
                  <Group gap={4} wrap="nowrap">
                    <Badge variant="light" color={colours[stateOfKey(key)]}>
                      {t(`keys.state.${stateOfKey(key)}`)}
                    </Badge>
                    {key.scope === 'drop' && (
                      <Badge variant="light" color="blue">
                        {t('keys.state.drop')}
                      </Badge>
                    )}
                  </Group>
                  {mayChange && stateOfKey(key) !== 'revoked' && <Revoke apiKey={key} />}
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Revoke({ apiKey }: { apiKey: ApiKey }) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const confirm = useConfirm();
  const showError = useShowError();
  const { name } = apiKey;
  // The session is another way in, so that the last key may go as well.
  const revoke = useMutation({
    mutationFn: () => client.keys.revoke(apiKey.id, { force: true }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys'] }),
    onError: showError,
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
