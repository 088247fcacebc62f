import type { SettingInForce } from '@lynceus/client';
import { Group, Switch, Text } from '@mantine/core';
import { mdiTune } from '@mdi/js';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Answered } from '../../kit/answered.js';
import { Empty } from '../../kit/empty.js';
import { SearchField } from '../../kit/search-field.js';
import { useClient } from '../../service/client.js';
import { SettingTable } from './setting-table.js';

/** Every setting in effect, with its description and source. */
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
        <SearchField label={t('admin.settings.search')} value={search} onChange={setSearch} />
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
            <SettingTable settings={found} />
          );
        }}
      </Answered>
    </>
  );
}

/** Those that have every word in their name, variable or description, whatever the case. */
export function findSettings(
  settings: readonly SettingInForce[],
  search: string,
  isSetAlone: boolean,
): readonly SettingInForce[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return settings.filter(({ name, variable, description, source }) => {
    const text = `${name} ${variable} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word)) && (!isSetAlone || source !== 'default');
  });
}
