import type { ServiceState } from '@lynceus/client';
import { Alert, Card, SimpleGrid, Stack, Text } from '@mantine/core';
import { mdiAlert, mdiCheckCircle } from '@mdi/js';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Answered } from '../../kit/answered.js';
import { Icon } from '../../kit/icon.js';
import { useFormat } from '../../kit/use-format.js';
import { useClient } from '../../service/client.js';
import { ComponentsTable } from './components-table.js';
import { ProcessTable } from './process-table.js';
import { SweepAlerts } from './sweep-alerts.js';
import { SweepsSection } from './sweeps-section.js';

const renewMs = 3000;

/** How the service is, renewed every few seconds while somebody looks. */
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
      <ComponentsTable components={state.components} />
      <SweepsSection />
    </Stack>
  );
}
