import type { SettingInForce } from '@lynceus/client';
import { Code, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ListTable } from '../../kit/list-table.js';

export function SettingTable({ settings }: { settings: readonly SettingInForce[] }) {
  const { t } = useTranslation();
  const show = (value: unknown) =>
    value === '' || value === null
      ? t('admin.settings.empty')
      : typeof value === 'string'
        ? value
        : JSON.stringify(value);
  const wrapped = { style: { overflowWrap: 'anywhere' } } as const;
  return (
    <ListTable
      items={settings}
      keyOf={({ name }) => name}
      columns={[
        {
          name: t('admin.settings.column.name'),
          cell: ({ name, variable, description }) => (
            <div {...wrapped}>
              <Text fw={600}>{name}</Text>
              <Text size="xs" c="dimmed" ff="monospace">
                {variable}
              </Text>
              <Text size="sm">{description}</Text>
            </div>
          ),
        },
        {
          name: t('admin.settings.column.value'),
          width: 230,
          cell: ({ value, source, default: usual }) => (
            <div {...wrapped}>
              <Code>{show(value)}</Code>
              {source !== 'default' && (
                <Text size="xs" c="dimmed" mt={4}>
                  {t('admin.settings.usually', { value: show(usual) })}
                </Text>
              )}
            </div>
          ),
        },
        {
          name: t('admin.settings.column.source'),
          width: 200,
          cell: ({ source }) =>
            source === 'default' ? (
              <Text size="sm" c="dimmed">
                {t('admin.settings.default')}
              </Text>
            ) : (
              <Code {...wrapped}>{source}</Code>
            ),
        },
      ]}
    />
  );
}
