import type { CustomModel } from '@lynceus/client';
import { Anchor, Badge, Code, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ListTable } from '../kit/list-table.js';
import { Moment } from '../kit/moment.js';

export function ModelTable({ models }: { models: readonly CustomModel[] }) {
  const { t } = useTranslation();
  return (
    <ListTable
      items={models}
      keyOf={({ model_id }) => model_id}
      columns={[
        { name: t('models.column.name'), cell: (model) => <ModelName model={model} /> },
        { name: t('models.column.id'), width: 110, cell: ({ model_id }) => <Code>{model_id}</Code> },
        { name: t('models.column.task'), width: 160, cell: ({ task }) => t(`models.task.${task}`) },
        {
          name: t('models.column.version'),
          width: 150,
          cell: ({ version }) => (
            <Badge variant="light" tt="none" color={version === null ? 'gray' : 'lynx'}>
              {version === null ? t('models.noVersion') : t('models.version', { number: version })}
            </Badge>
          ),
        },
        { name: t('models.column.made'), width: 180, cell: ({ created_at }) => <Moment at={created_at} /> },
      ]}
    />
  );
}

function ModelName({ model: { model_id, name, description } }: { model: CustomModel }) {
  return (
    <div style={{ overflowWrap: 'anywhere' }}>
      <Anchor component={Link} to={`/models/${model_id}`} fw={500} size="sm">
        <Text span inherit lineClamp={3}>
          <bdi>{name}</bdi>
        </Text>
      </Anchor>
      {description && (
        <Text size="xs" c="dimmed" lineClamp={2}>
          <bdi>{description}</bdi>
        </Text>
      )}
    </div>
  );
}
