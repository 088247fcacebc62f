import type { ServiceState } from '@lynceus/client';
import { Badge, Table, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../kit/use-format.js';
import { WideTable } from '../../kit/wide-table.js';

const colours = { starting: 'orange', idle: 'gray', busy: 'blue' } as const;

/** The processes that look at images. */
export function ProcessTable({ inference }: { inference: ServiceState['inference'] }) {
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
                  <Badge variant="light" color={colours[state]} tt="none">
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
