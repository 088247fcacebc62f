import type { ServiceState } from '@lynceus/client';
import { Badge, Table, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../kit/moment.js';
import { WideTable } from '../../kit/wide-table.js';

/** The services on the database, where there are several. */
export function ReplicasTable({ replicas }: Pick<ServiceState, 'replicas'>) {
  const { t } = useTranslation();
  if (replicas.length < 2) return null;
  return (
    <section aria-labelledby="admin-replicas">
      <Title order={2} size="h4" mb="xs" id="admin-replicas">
        {t('admin.service.replicas')}
      </Title>
      <WideTable label={t('admin.service.replicas')}>
        <Table miw={520}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('admin.service.host')}</Table.Th>
              <Table.Th>{t('admin.service.version')}</Table.Th>
              <Table.Th>{t('admin.service.roles')}</Table.Th>
              <Table.Th>{t('admin.service.state')}</Table.Th>
              <Table.Th>{t('admin.service.seen')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {replicas.map(({ uid, host, version, roles, seen_at, is_alive, is_leader }) => (
              <Table.Tr key={uid}>
                <Table.Td>{host}</Table.Td>
                <Table.Td>{version}</Table.Td>
                <Table.Td>{roles.join(', ')}</Table.Td>
                <Table.Td>
                  <Badge variant="light" color={is_alive ? 'lynx' : 'red'}>
                    {t(is_alive ? 'admin.service.alive' : 'admin.service.notSeen')}
                  </Badge>
                  {is_leader && ` ${t('admin.service.leads')}`}
                </Table.Td>
                <Table.Td>
                  <Moment at={seen_at} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </WideTable>
    </section>
  );
}
