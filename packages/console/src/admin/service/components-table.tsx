import type { ServiceState } from '@lynceus/client';
import { Badge, Table, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** What the service is made of, and whether each is ready. */
export function ComponentsTable({ components }: { components: ServiceState['components'] }) {
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
                <Badge variant="light" color={is_ready ? 'lynx' : 'red'} tt="none">
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
