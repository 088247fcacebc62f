import {
  Card,
  Grid,
  Group,
  Progress,
  SegmentedControl,
  Select,
  Skeleton,
  Stack,
  Table,
  Text,
} from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useKeyNames } from '../keys/key-names.js';
import { Answered } from '../kit/answered.js';
import { PageHead } from '../kit/page-head.js';
import { useFormat } from '../kit/use-format.js';
import { useClient } from '../service/client.js';

/** Numbers of days until today, in UTC. */
const periods = [7, 30, 90, 365] as const;

export type Period = (typeof periods)[number];

const dayMs = 86_400_000;

const CallsByDay = lazy(() =>
  import('./calls-by-day.js').then(({ CallsByDay }) => ({ default: CallsByDay })),
);
const everyKey = 'all';

/** Counted calls by day, by operation and by key, and the calls that are left. */
export function UsagePage() {
  const { t } = useTranslation();
  const { number } = useFormat();
  const client = useClient();
  const keys = useKeyNames();
  const [period, setPeriod] = useState<Period>(30);
  const [keyId, setKeyId] = useState(everyKey);
  const days = daysOf(period, Date.now());
  const filter = {
    from: days[0],
    to: days.at(-1),
    ...(keyId === everyKey ? {} : { keyId: Number(keyId) }),
  };
  const sums = useQuery({
    queryKey: ['usage', filter],
    queryFn: async ({ signal }) => {
      const [byDay, byOperation, byKey] = await Promise.all([
        client.usage.sums('day', { ...filter, signal }),
        client.usage.sums('operation', { ...filter, signal }),
        client.usage.sums('key', { ...filter, signal }),
      ]);
      return { byDay, byOperation, byKey };
    },
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHead title={t('usage.title')} text={t('usage.text')} />
      <Stack gap="lg">
        <Allowance />
        <Group align="end">
          <SegmentedControl
            aria-label={t('usage.period')}
            value={String(period)}
            onChange={(value) => setPeriod(periods.find((each) => String(each) === value) ?? 30)}
            data={periods.map((each) => ({ value: String(each), label: t('usage.days', { count: each }) }))}
          />
          <Select
            aria-label={t('usage.key')}
            allowDeselect={false}
            searchable
            value={keyId}
            onChange={(value) => setKeyId(value ?? everyKey)}
            data={[
              { value: everyKey, label: t('usage.everyKey') },
              ...[...keys.names].map(([id, name]) => ({ value: String(id), label: name })),
            ]}
          />
        </Group>
        <Answered query={sums}>
          {({ byDay, byOperation, byKey }) => (
            <>
              <Card withBorder component="section" aria-label={t('usage.byDay')}>
                <Text fw={600}>{t('usage.total', { count: byDay.total, calls: number(byDay.total) })}</Text>
                <FailedCalls sums={byDay.data} />
                <Suspense fallback={<Skeleton h={260} mt="md" />}>
                  <CallsByDay days={days} sums={byDay.data} />
                </Suspense>
              </Card>
              <Grid gap="lg">
                <Grid.Col span={{ base: 12, md: 6 }}>
                  <CallsBy
                    title={t('usage.byOperation')}
                    total={byOperation.total}
                    rows={byOperation.data.map(({ operation = '', calls }) => ({
                      id: operation,
                      name: operation,
                      calls,
                    }))}
                  />
                </Grid.Col>
                <Grid.Col span={{ base: 12, md: 6 }}>
                  <CallsBy
                    title={t('usage.byKey')}
                    total={byKey.total}
                    rows={byKey.data.map(({ key_id = 0, key_name = '', calls }) => ({
                      id: key_id,
                      name: key_name,
                      calls,
                    }))}
                  />
                </Grid.Col>
              </Grid>
            </>
          )}
        </Answered>
      </Stack>
    </>
  );
}

/** Every day of a period, the oldest first, such as `2026-01-31`. */
function daysOf(period: number, nowMs: number): readonly string[] {
  return Array.from({ length: period }, (_, index) =>
    new Date(nowMs - (period - 1 - index) * dayMs).toISOString().slice(0, 10),
  );
}

/** Nothing where none failed. */
function FailedCalls({
  sums,
}: {
  sums: readonly { readonly failed: number; readonly failed_processor_seconds: number }[];
}) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const failed = sums.reduce((sum, day) => sum + day.failed, 0);
  const seconds = sums.reduce((sum, day) => sum + day.failed_processor_seconds, 0);
  if (failed === 0) return null;
  const values = { failed: number(failed), seconds: number(Math.round(seconds)) };
  return <Text c="dimmed">{t('usage.failed', { count: failed, ...values })}</Text>;
}

/** A table of sums, the largest first, each with its share as a bar. */
function CallsBy({
  title,
  total,
  rows,
}: {
  title: string;
  total: number;
  rows: readonly { readonly id: string | number; readonly name: string; readonly calls: number }[];
}) {
  const { t } = useTranslation();
  const { number } = useFormat();
  return (
    <Card withBorder component="section" aria-label={title} h="100%">
      <Text fw={600} mb="xs">
        {title}
      </Text>
      {rows.length === 0 ? (
        <Text c="dimmed">{t('usage.none')}</Text>
      ) : (
        <Table verticalSpacing={6}>
          <Table.Tbody>
            {rows.map(({ id, name, calls }) => (
              <Table.Tr key={id}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{name}</Table.Td>
                <Table.Td w={90}>
                  <Progress value={(calls / Math.max(1, total)) * 100} aria-hidden />
                </Table.Td>
                <Table.Td ta="end" w={90}>
                  {number(calls)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Card>
  );
}

/** The calls of the account: used, and left if they are limited. */
function Allowance() {
  const { t } = useTranslation();
  const client = useClient();
  const account = useQuery({ queryKey: ['account'], queryFn: ({ signal }) => client.account({ signal }) });
  const { number } = useFormat();
  return (
    <Answered query={account}>
      {({ plan, calls: { limit, used, left } }) => (
        <Card withBorder>
          <Stack gap="xs">
            <Group justify="space-between">
              <Text fw={600}>{t(`usage.plan.${plan}`)}</Text>
              <Text>
                {limit === null
                  ? t('usage.unlimited', { count: used, used: number(used) })
                  : t('usage.left', { left: number(left ?? 0), limit: number(limit) })}
              </Text>
            </Group>
            {limit !== null && (
              <Progress.Root size="lg">
                <Progress.Section
                  value={(Math.min(used, limit) / Math.max(1, limit)) * 100}
                  color={left === 0 ? 'red' : 'lynx'}
                  aria-label={t('usage.used', { used: number(used), limit: number(limit) })}
                />
              </Progress.Root>
            )}
            {left === 0 && (
              <Text size="sm" c="red">
                {t('usage.usedUp')}
              </Text>
            )}
          </Stack>
        </Card>
      )}
    </Answered>
  );
}
