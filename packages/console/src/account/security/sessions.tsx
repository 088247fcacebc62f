import type { ListedSession } from '@lynceus/client';
import { Badge, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Answered } from '../../kit/answered.js';
import { useConfirm } from '../../kit/confirm.js';
import { GivenName } from '../../kit/given-name.js';
import { Moment } from '../../kit/moment.js';
import { More, usePages } from '../../kit/more.js';
import { useAction } from '../../kit/use-action.js';
import { useClient } from '../../service/client.js';
import { forgetSession } from '../../service/session.js';

const browsers: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
];

const systems: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
];

/** The user's sessions; each can be ended, or all at once. */
export function Sessions() {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const confirm = useConfirm();
  const list = usePages(['sessions'], (cursor, signal) => client.session.page({ cursor, signal }));
  const endAll = useAction({
    mutationFn: () => client.session.endAll(),
    onSuccess: () => forgetSession(queries),
  });
  return (
    <Card withBorder component="section" aria-labelledby="account-sessions">
      <Title order={2} size="h4" mb="md" id="account-sessions">
        {t('account.sessions.title')}
      </Title>
      <Answered query={list}>
        {(sessions) => (
          <Stack component="ul" gap="sm" p={0} m={0} mb="md" style={{ listStyle: 'none' }}>
            {sessions.map((session) => (
              <OneSession key={session.id} session={session} />
            ))}
          </Stack>
        )}
      </Answered>
      <More list={list} />
      <Button
        variant="light"
        color="red"
        w="fit-content"
        loading={endAll.isPending}
        onClick={() =>
          confirm({
            title: t('account.sessions.everywhereTitle'),
            text: t('account.sessions.everywhereText'),
            yes: t('account.sessions.everywhere'),
            onYes: () => endAll.mutate(),
          })
        }
      >
        {t('account.sessions.everywhere')}
      </Button>
    </Card>
  );
}

function OneSession({ session }: { session: ListedSession }) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const { id, address, user_agent, is_current, created_at, last_used_at } = session;
  const agent = nameAgent(user_agent) || t('account.sessions.unknown');
  const end = useAction({
    mutationFn: () => client.session.end(id),
    onSettled: () => queries.invalidateQueries({ queryKey: ['sessions'] }),
  });
  return (
    <Group component="li" justify="space-between" wrap="nowrap" gap="sm">
      <Stack gap={0} miw={0}>
        <GivenName name={`${agent} · ${address}`} fw={500} size="sm" />
        <Text size="xs" c="dimmed">
          {t('account.sessions.used')} <Moment at={last_used_at} /> · {t('account.sessions.begun')}{' '}
          <Moment at={created_at} />
        </Text>
      </Stack>
      {is_current ? (
        <Badge variant="light" style={{ flexShrink: 0 }}>
          {t('account.sessions.here')}
        </Badge>
      ) : (
        <Button
          size="compact-sm"
          variant="subtle"
          color="red"
          style={{ flexShrink: 0 }}
          loading={end.isPending}
          aria-label={t('account.sessions.endNamed', { agent })}
          onClick={() => end.mutate()}
        >
          {t('account.sessions.end')}
        </Button>
      )}
    </Group>
  );
}

/** The common name of a browser, such as `Firefox, Linux`; for an unknown one the first word of its user agent. */
export function nameAgent(userAgent: string): string {
  const find = (table: typeof browsers) => table.find(([, mark]) => mark.test(userAgent))?.[0];
  const known = [find(browsers), find(systems)].filter((name) => name !== undefined);
  return known.length > 0 ? known.join(', ') : (userAgent.split(/[\s/]/)[0] ?? '');
}
