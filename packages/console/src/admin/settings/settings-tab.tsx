import type { SettingInForce } from '@lynceus/client';
import { Code, Group, Switch, Table, Text, TextInput } from '@mantine/core';
import { mdiMagnify, mdiTune } from '@mdi/js';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Answered } from '../../kit/answered.js';
import { Empty } from '../../kit/empty.js';
import { Icon } from '../../kit/icon.js';
import { useClient } from '../../service/client.js';
import { findSettings } from './find-settings.js';

/** Every setting as it is in force, with what it does and where it comes from. */
export function SettingsTab() {
  const { t } = useTranslation();
  const client = useClient();
  const [search, setSearch] = useState('');
  const [isSetAlone, setIsSetAlone] = useState(false);
  const settings = useQuery({
    queryKey: ['admin', 'settings'],
    queryFn: ({ signal }) => client.admin.settings({ signal }),
    // They are read when the service starts.
    staleTime: 60_000,
  });
  return (
    <>
      <Text c="dimmed" mb="md">
        {t('admin.settings.text')}
      </Text>
      <Group mb="md">
        <TextInput
          type="search"
          flex="1 1 240px"
          maw={420}
          aria-label={t('admin.settings.search')}
          placeholder={t('admin.settings.search')}
          leftSection={<Icon path={mdiMagnify} size={18} />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <Switch
          label={t('admin.settings.changed')}
          checked={isSetAlone}
          onChange={(event) => setIsSetAlone(event.currentTarget.checked)}
        />
      </Group>
      <Answered query={settings}>
        {({ data }) => {
          const found = findSettings(data, search, isSetAlone);
          return found.length === 0 ? (
            <Empty icon={mdiTune} title={t('admin.settings.none')} text={t('admin.settings.noneText')} />
          ) : (
            <Table.ScrollContainer minWidth={760}>
              <Table verticalSpacing="sm" layout="fixed">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('admin.settings.column.name')}</Table.Th>
                    <Table.Th w="26%">{t('admin.settings.column.value')}</Table.Th>
                    <Table.Th w="20%">{t('admin.settings.column.source')}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {found.map((setting) => (
                    <SettingRow key={setting.name} setting={setting} />
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          );
        }}
      </Answered>
    </>
  );
}

function SettingRow({ setting }: { setting: SettingInForce }) {
  const { t } = useTranslation();
  const isDefault = setting.source === 'default';
  const show = (value: unknown) =>
    value === '' || value === null
      ? t('admin.settings.empty')
      : typeof value === 'string'
        ? value
        : JSON.stringify(value);
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Text fw={600}>{setting.name}</Text>
        <Text size="xs" c="dimmed" ff="monospace">
          {setting.variable}
        </Text>
        <Text size="sm">{setting.description}</Text>
      </Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere', verticalAlign: 'top' }}>
        <Code>{show(setting.value)}</Code>
        {!isDefault && (
          <Text size="xs" c="dimmed" mt={4}>
            {t('admin.settings.usually', { value: show(setting.default) })}
          </Text>
        )}
      </Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere', verticalAlign: 'top' }}>
        {isDefault ? <Text c="dimmed">{t('admin.settings.default')}</Text> : <Code>{setting.source}</Code>}
      </Table.Td>
    </Table.Tr>
  );
}
