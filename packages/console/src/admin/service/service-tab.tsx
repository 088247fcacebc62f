import type { ServiceState } from '@lynceus/client';
import { Alert, Badge, Card, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { mdiAlert, mdiCheckCircle } from '@mdi/js';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Answered } from '../../kit/answered.js';
import { Icon } from '../../kit/icon.js';
import { useFormat } from '../../kit/use-format.js';
import { WideTable } from '../../kit/wide-table.js';
import { useClient } from '../../service/client.js';
import { ReplicasTable } from './replicas-table.js';
import { SweepAlerts } from './sweep-alerts.js';
import { SweepsSection } from './sweeps-section.js';

const colours = { starting: 'orange', idle: 'gray', busy: 'blue' } as const;

const renewMs = 3000;

/** The state of the service, refreshed every few seconds while the page is open. */
export function ServiceTab() {
  const client = useClient();
  const service = useQuery({
    queryKey: ['admin', 'service'],
    queryFn: ({ signal }) => client.admin.service({ signal }),
    refetchInterval: renewMs,
  });
  return <Answered query={service}>{(state) => <Shown state={state} />}</Answered>;
}

function Shown({ state }: { state: ServiceState }) {
  const { t } = useTranslation();
  const { bytes, number, duration } = useFormat();
  const { is_ready, inference, database, disk, jobs } = state;
  const databaseName = database.kind === 'sqlite' ? 'SQLite' : 'PostgreSQL';
  const figures = [
    [t('admin.service.version'), state.version],
    [t('admin.service.uptime'), duration(state.uptime_seconds)],
    [
      t('admin.service.database'),
      database.bytes === null ? databaseName : `${databaseName}, ${bytes(database.bytes)}`,
    ],
    [
      t('admin.service.disk'),
      disk === null
        ? t('admin.service.unknown')
        : t('admin.service.diskOf', { free: bytes(disk.free_bytes), all: bytes(disk.bytes) }),
    ],
    [
      t('admin.service.jobs'),
      t('admin.service.jobsText', { running: number(jobs.running), waiting: number(jobs.waiting) }),
    ],
    [t('admin.service.queue'), number(inference.queued)],
    [
      t('admin.service.int8'),
      t(inference.int8 === null ? 'admin.service.unknown' : `admin.service.int8Kind.${inference.int8}`),
    ],
  ] as const;
  return (
    <Stack gap="lg">
      <Alert
        color={is_ready ? 'lynx' : 'red'}
        icon={<Icon path={is_ready ? mdiCheckCircle : mdiAlert} />}
        title={t(is_ready ? 'admin.service.ready' : 'admin.service.notReady')}
      />
      <SweepAlerts />
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
        {figures.map(([name, value]) => (
          <Card key={name} withBorder padding="sm">
            <Text size="xs" c="dimmed">
              {name}
            </Text>
            <Text fw={600} style={{ fontVariantNumeric: 'tabular-nums' }}>
              {value}
            </Text>
          </Card>
        ))}
      </SimpleGrid>
      <ProcessTable inference={inference} />
      <ReplicasTable replicas={state.replicas} />
      <ComponentsTable components={state.components} />
      <SweepsSection />
    </Stack>
  );
}

/** The components of the service, and whether each is ready. */
function ComponentsTable({ components }: { components: ServiceState['components'] }) {
  const { t } = useTranslation();
  return (
    <section aria-labelledby="admin-components">
      <Title order={2} size="h4" mb="xs" id="admin-components">
        {t('admin.service.components')}
      </Title>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('admin.service.component')}</Table.Th>
            <Table.Th>{t('admin.service.state')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {components.map(({ name, is_ready, reason, notices }) => (
            <Table.Tr key={name}>
              <Table.Td>{name}</Table.Td>
              <Table.Td>
                <Badge variant="light" color={is_ready ? 'lynx' : 'red'}>
                  {t(is_ready ? 'admin.service.good' : 'admin.service.bad')}
                </Badge>
                {reason !== null && <Text size="sm">{reason}</Text>}
                {notices.map((notice) => (
                  <Text key={notice} size="sm">
                    {notice}
                  </Text>
                ))}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

/** The inference processes. */
function ProcessTable({ inference }: { inference: ServiceState['inference'] }) {
  const { t } = useTranslation();
  const { bytes, number } = useFormat();
  const { crashed, recycled, outgrown, timeouts } = inference;
  return (
    <section aria-labelledby="admin-processes">
      <Title order={2} size="h4" id="admin-processes">
        {t('admin.service.inference')}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {t('admin.service.events', {
          crashed: number(crashed),
          recycled: number(recycled),
          outgrown: number(outgrown),
          timeouts: number(timeouts),
        })}
      </Text>
      <WideTable label={t('admin.service.inference')}>
        <Table miw={520} style={{ fontVariantNumeric: 'tabular-nums' }}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('admin.service.process')}</Table.Th>
              <Table.Th>{t('admin.service.state')}</Table.Th>
              <Table.Th ta="end">{t('admin.service.memory')}</Table.Th>
              <Table.Th ta="end">{t('admin.service.done')}</Table.Th>
              <Table.Th ta="end">{t('admin.service.models')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {inference.processes.map(({ pid, state, memory_bytes, jobs_done, models }, index) => (
              <Table.Tr key={pid ?? `starting-${index}`}>
                <Table.Td>{pid ?? '–'}</Table.Td>
                <Table.Td>
                  <Badge variant="light" color={colours[state]}>
                    {t(`admin.service.processes.${state}`)}
                  </Badge>
                </Table.Td>
                <Table.Td ta="end">{bytes(memory_bytes)}</Table.Td>
                <Table.Td ta="end">{number(jobs_done)}</Table.Td>
                <Table.Td ta="end">{number(models)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </WideTable>
    </section>
  );
}
