import type { CompatListener } from '@lynceus/client';
import { Alert, Anchor, Badge, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { mdiAlert, mdiLanConnect, mdiPlus } from '@mdi/js';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { protocolNames } from '../../keys/client-kinds.js';
import { Answered } from '../../kit/answered.js';
import { useConfirm } from '../../kit/confirm.js';
import { Empty } from '../../kit/empty.js';
import { showDone, toSentence } from '../../kit/error-text.js';
import { GivenName } from '../../kit/given-name.js';
import { Icon } from '../../kit/icon.js';
import { ListTable } from '../../kit/list-table.js';
import { useAction } from '../../kit/use-action.js';
import { useClient } from '../../service/client.js';
import { ListenerForm } from './listener-form.js';

/** The state may change by itself: a port that could not be opened is tried again. */
const askAgainMs = 5000;

/** Ports for clients that send no key. */
export function ListenersTab() {
  const { t } = useTranslation();
  const client = useClient();
  const [isOpening, opening] = useDisclosure(false);
  const list = useQuery({
    queryKey: ['admin', 'listeners'],
    queryFn: ({ signal }) => client.admin.compatListeners.list({ signal }),
    refetchInterval: askAgainMs,
  });
  const settings = useQuery({
    queryKey: ['admin', 'settings'],
    queryFn: ({ signal }) => client.admin.settings({ signal }),
  });
  const value = settings.data?.data.find(({ name }) => name === 'compatListenerPorts')?.value;
  const ports = typeof value === 'string' ? value : null;
  const button = ports !== null && ports !== '' && (
    <Button leftSection={<Icon path={mdiPlus} size={16} />} onClick={opening.open}>
      {t('listeners.open')}
    </Button>
  );
  return (
    <>
      <Group justify="space-between" align="start" mb="md" gap="sm">
        <Text c="dimmed" maw={720} flex="1 1 300px">
          {t('listeners.text')}{' '}
          <Anchor component={Link} to="/help/clients#clients-without-a-key" underline="always">
            {t('listeners.help')}
          </Anchor>
        </Text>
        {list.data?.data.length !== 0 && button}
      </Group>
      {ports === '' && (
        <Alert color="gray" icon={<Icon path={mdiAlert} />} title={t('listeners.off')} mb="md">
          <Stack gap="xs" align="start">
            {t('listeners.offText', { example: '32168' })}
            <Code block>LYNCEUS_COMPAT_LISTENER_PORTS=32168</Code>
          </Stack>
        </Alert>
      )}
      <Answered query={list}>
        {({ data: listeners }) =>
          listeners.length === 0 ? (
            <Empty icon={mdiLanConnect} title={t('listeners.emptyTitle')} text={t('listeners.emptyText')}>
              {button}
            </Empty>
          ) : (
            <ListenerTable listeners={listeners} />
          )
        }
      </Answered>
      {isOpening && <ListenerForm ports={ports ?? ''} onClose={opening.close} />}
    </>
  );
}

function ListenerTable({ listeners }: { listeners: readonly CompatListener[] }) {
  const { t } = useTranslation();
  return (
    <ListTable
      items={listeners}
      keyOf={({ id }) => id}
      columns={[
        { name: t('listeners.column.port'), width: 170, cell: ({ host, port }) => addressOf(host, port) },
        {
          name: t('listeners.column.key'),
          cell: ({ key_name, account_id, protocol }) => (
            <>
              <GivenName name={key_name} size="sm" />
              <Text size="xs" c="dimmed">
                {t('listeners.keyOf', { id: account_id, protocol: protocolNames[protocol] })}
              </Text>
            </>
          ),
        },
        {
          name: t('listeners.column.networks'),
          cell: ({ allowed_networks }) => (
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {allowed_networks.join(', ')}
            </Text>
          ),
        },
        { name: t('listeners.column.state'), cell: (listener) => <ListenerState listener={listener} /> },
        {
          name: t('listeners.column.actions'),
          width: 100,
          isAtEnd: true,
          isSpokenAlone: true,
          cell: (listener) => <CloseButton listener={listener} />,
        },
      ]}
    />
  );
}

function addressOf(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

function ListenerState({ listener: { state, reason } }: { listener: CompatListener }) {
  const { t } = useTranslation();
  return (
    <>
      <Badge variant="light" color={state === 'listening' ? 'lynx' : 'red'}>
        {t(`listeners.state.${state}`)}
      </Badge>
      {reason !== null && (
        <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
          {toSentence(reason)}
        </Text>
      )}
    </>
  );
}

function CloseButton({ listener: { id, port } }: { listener: CompatListener }) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const confirm = useConfirm();
  const close = useAction({
    mutationFn: () => client.admin.compatListeners.delete(id),
    onSuccess: () => {
      showDone(t('listeners.closed', { port }));
      return queries.invalidateQueries({ queryKey: ['admin', 'listeners'] });
    },
  });
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      color="red"
      aria-label={t('listeners.closeNamed', { port })}
      loading={close.isPending}
      onClick={() =>
        confirm({
          title: t('listeners.closeTitle', { port }),
          text: t('listeners.closeText'),
          yes: t('listeners.close'),
          onYes: () => close.mutate(),
        })
      }
    >
      {t('listeners.close')}
    </Button>
  );
}
