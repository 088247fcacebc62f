import type { CatalogueModel } from '@lynceus/client';
import { Badge, Code, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Answered } from '../../kit/answered.js';
import { ListTable } from '../../kit/list-table.js';
import { useFormat } from '../../kit/use-format.js';
import { useClient } from '../../service/client.js';

/** The catalogue of models, and what of it is installed. */
export function ModelsTab() {
  const { t } = useTranslation();
  const { bytes } = useFormat();
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
          <ListTable
            items={data}
            keyOf={({ id }) => id}
            columns={[
              {
                name: t('admin.models.column.model'),
                cell: ({ id, name }) => (
                  <>
                    <Text size="sm" fw={500}>
                      {name}
                    </Text>
                    <Code style={{ overflowWrap: 'anywhere' }}>{id}</Code>
                  </>
                ),
              },
              {
                name: t('admin.models.column.task'),
                width: 150,
                cell: ({ task }) => task.replaceAll('_', ' ').replaceAll('-', ' '),
              },
              {
                name: t('admin.models.column.state'),
                width: 190,
                cell: (model) => <ModelState model={model} />,
              },
              {
                name: t('admin.models.column.size'),
                width: 100,
                isAtEnd: true,
                cell: (model) => bytes(model.bytes),
              },
              {
                name: t('admin.models.column.licence'),
                cell: ({ licence }) => (
                  <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                    {licence.stated}
                  </Text>
                ),
              },
            ]}
          />
        )}
      </Answered>
    </>
  );
}

function ModelState({ model: { is_installed, is_default, origin } }: { model: CatalogueModel }) {
  const { t } = useTranslation();
  return (
    <Group gap={4}>
      <Badge variant="light" color={is_installed ? 'lynx' : 'gray'}>
        {t(is_installed ? 'admin.models.installed' : 'admin.models.missing')}
      </Badge>
      {is_default && <Badge variant="light">{t('admin.models.isDefault')}</Badge>}
      {origin === 'own' && (
        <Badge variant="light" color="grape">
          {t('admin.models.own')}
        </Badge>
      )}
    </Group>
  );
}
