import { Card, Grid, Group, SegmentedControl, Select, Skeleton, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useKeyNames } from '../keys/key-names.js';
import { Answered } from '../kit/answered.js';
import { PageHead } from '../kit/page-head.js';
import { useClient } from '../service/client.js';
import { Allowance } from './allowance.js';
import { CallsBy } from './calls-by.js';
import { daysOf, type Period, periods } from './period.js';

const CallsByDay = lazy(() =>
  import('./calls-by-day.js').then(({ CallsByDay }) => ({ default: CallsByDay })),
);
const everyKey = 'all';

/** Calls that counted: by day, by operation and by key; and what is left. */
export function UsagePage() {
  const { t, i18n } = useTranslation();
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
                <Text fw={600}>
                  {t('usage.total', { count: byDay.total, calls: byDay.total.toLocaleString(i18n.language) })}
                </Text>
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
