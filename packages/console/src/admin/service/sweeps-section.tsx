import type { SweepReport } from '@lynceus/client';
import { Badge, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Answered } from '../../kit/answered.js';
import { Moment } from '../../kit/moment.js';
import { useFormat } from '../../kit/use-format.js';
import { WideTable } from '../../kit/wide-table.js';
import { useClient } from '../../service/client.js';

const colours = { done: 'lynx', failed: 'red', blocked: 'red', suspended: 'orange' } as const;

/** Periodic deletions, and files without a row in quarantine. */
export function SweepsSection() {
  const { t } = useTranslation();
  const sweeps = useSweeps();
  return (
    <section aria-labelledby="admin-sweeps">
      <Title order={2} size="h4" id="admin-sweeps">
        {t('admin.sweeps.title')}
      </Title>
      <Answered query={sweeps}>{(report) => <Shown report={report} />}</Answered>
    </section>
  );
}

function Shown({ report }: { report: SweepReport }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const { stores, sweeps, quarantine_days } = report;
  const quarantinedOf = new Map<string, number>(stores.map(({ store, quarantined }) => [store, quarantined]));
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('admin.sweeps.text', { days: number(quarantine_days) })}
      </Text>
      <WideTable label={t('admin.sweeps.title')}>
        <Table miw={520} style={{ fontVariantNumeric: 'tabular-nums' }}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('admin.sweeps.sweep')}</Table.Th>
              <Table.Th>{t('admin.sweeps.outcome')}</Table.Th>
              <Table.Th>{t('admin.sweeps.ran')}</Table.Th>
              <Table.Th ta="end">{t('admin.sweeps.quarantined')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {sweeps.map(({ name, outcome, ran_at }) => {
              const quarantined = quarantinedOf.get(name);
              return (
                <Table.Tr key={name}>
                  <Table.Td>{name}</Table.Td>
                  <Table.Td>
                    {outcome && (
                      <Badge variant="light" color={colours[outcome]}>
                        {t(`admin.sweeps.outcomes.${outcome}`)}
                      </Badge>
                    )}
                  </Table.Td>
                  <Table.Td>{ran_at && <Moment at={ran_at} />}</Table.Td>
                  <Table.Td ta="end">{quarantined === undefined ? '–' : number(quarantined)}</Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </WideTable>
    </Stack>
  );
}

export const sweepsKey = ['admin', 'sweeps'];
const renewMs = 5000;

/** The state of the sweeps, refreshed every few seconds while the page is open. */
export function useSweeps() {
  const client = useClient();
  return useQuery({
    queryKey: sweepsKey,
    queryFn: ({ signal }) => client.admin.sweeps({ signal }),
    refetchInterval: renewMs,
  });
}
