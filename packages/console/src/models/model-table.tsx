import type { CustomModel } from '@lynceus/client';
import { Anchor, Badge, Code, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Moment } from '../kit/moment.js';

export function ModelTable({ models }: { models: readonly CustomModel[] }) {
  const { t } = useTranslation();
  return (
    <Table.ScrollContainer minWidth={620}>
      <Table verticalSpacing="sm" highlightOnHover layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="38%">{t('models.column.name')}</Table.Th>
            <Table.Th>{t('models.column.id')}</Table.Th>
            <Table.Th>{t('models.column.task')}</Table.Th>
            <Table.Th>{t('models.column.version')}</Table.Th>
            <Table.Th>{t('models.column.made')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {models.map((model) => (
            <Table.Tr key={model.model_id}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <Anchor component={Link} to={`/models/${model.model_id}`} fw={500} size="sm">
                  <Text span inherit lineClamp={3}>
                    <bdi>{model.name}</bdi>
                  </Text>
                </Anchor>
                {model.description && (
                  <Text size="xs" c="dimmed" lineClamp={2}>
                    <bdi>{model.description}</bdi>
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                <Code>{model.model_id}</Code>
              </Table.Td>
              <Table.Td>
                <Text size="sm">{t(`models.task.${model.task}`)}</Text>
              </Table.Td>
              <Table.Td>
                {model.version === null ? (
                  <Badge variant="light" color="gray">
                    {t('models.noVersion')}
                  </Badge>
                ) : (
                  <Badge variant="light">{t('models.version', { number: model.version })}</Badge>
                )}
              </Table.Td>
              <Table.Td>
                <Text size="sm">
                  <Moment at={model.created_at} />
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
