import type { CatalogueModel } from '@lynceus/client';
import { Badge, Code, Group, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Answered } from '../../kit/answered.js';
import { useFormat } from '../../kit/use-format.js';
import { useClient } from '../../service/client.js';

/** The catalogue of models, and what of it is installed. */
export function ModelsTab() {
  const { t } = useTranslation();
  const client = useClient();
  const models = useQuery({
    queryKey: ['admin', 'models'],
    queryFn: ({ signal }) => client.admin.models({ signal }),
  });
  return (
    <>
      <Text c="dimmed">{t('admin.models.text')}</Text>
      <Text c="dimmed" mb="md">
        {t('admin.models.install')}
      </Text>
      <Answered query={models}>
        {({ data }) => (
          <Table.ScrollContainer minWidth={820}>
            <Table verticalSpacing="sm">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('admin.models.column.model')}</Table.Th>
                  <Table.Th>{t('admin.models.column.task')}</Table.Th>
                  <Table.Th>{t('admin.models.column.state')}</Table.Th>
                  <Table.Th ta="end">{t('admin.models.column.size')}</Table.Th>
                  <Table.Th>{t('admin.models.column.licence')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {data.map((model) => (
                  <ModelRow key={model.id} model={model} />
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </Answered>
    </>
  );
}

function ModelRow({ model }: { model: CatalogueModel }) {
  const { t } = useTranslation();
  const { bytes } = useFormat();
  const { id, name, task, is_installed, is_default, origin, licence } = model;
  return (
    <Table.Tr>
      <Table.Td>
        <Text fw={500}>{name}</Text>
        <Code>{id}</Code>
      </Table.Td>
      <Table.Td>{task.replaceAll('_', ' ')}</Table.Td>
      <Table.Td>
        <Group gap={4}>
          <Badge variant="light" color={is_installed ? 'lynx' : 'gray'} tt="none">
            {t(is_installed ? 'admin.models.installed' : 'admin.models.missing')}
          </Badge>
          {is_default && (
            <Badge variant="light" tt="none">
              {t('admin.models.isDefault')}
            </Badge>
          )}
          {origin === 'own' && (
            <Badge variant="light" color="grape" tt="none">
              {t('admin.models.own')}
            </Badge>
          )}
        </Group>
      </Table.Td>
      <Table.Td ta="end" style={{ whiteSpace: 'nowrap' }}>
        {bytes(model.bytes)}
      </Table.Td>
      <Table.Td maw={260} style={{ overflowWrap: 'anywhere' }}>
        {licence.stated}
      </Table.Td>
    </Table.Tr>
  );
}
