import type { CountedDataset } from '@lynceus/client';
import { Group, Select } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SearchField } from '../../kit/search-field.js';
import type { usePictureFilter } from './use-picture-filter.js';

const typingMs = 300;

export function PictureFilters({
  dataset,
  narrowing: { filter, set },
}: {
  dataset: CountedDataset;
  narrowing: ReturnType<typeof usePictureFilter>;
}) {
  const { t } = useTranslation();
  const [search, setSearch] = useState(filter.search ?? '');
  const searchSoon = useDebouncedCallback((text: string) => set('search', text), typingMs);
  return (
    <Group gap="xs" mb="md">
      <SearchField
        label={t('datasets.pictures.search')}
        value={search}
        onChange={(text) => {
          setSearch(text);
          searchSoon(text);
        }}
      />
      <Select
        aria-label={t('datasets.pictures.byClass')}
        placeholder={t('datasets.pictures.anyClass')}
        clearable
        searchable
        limit={50}
        flex="1 1 150px"
        maw={220}
        data={dataset.classes.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={filter.classId === undefined ? null : String(filter.classId)}
        onChange={(value) => set('class', value)}
      />
      <Select
        aria-label={t('datasets.pictures.byLabelled')}
        placeholder={t('datasets.pictures.anyLabelled')}
        clearable
        flex="1 1 150px"
        maw={220}
        data={(['yes', 'no'] as const).map((value) => ({
          value,
          label: t(`datasets.pictures.labelled.${value}`),
        }))}
        value={filter.labelled === undefined ? null : filter.labelled ? 'yes' : 'no'}
        onChange={(value) => set('labelled', value)}
      />
      <Select
        aria-label={t('datasets.pictures.bySplit')}
        placeholder={t('datasets.pictures.anySplit')}
        clearable
        flex="1 1 150px"
        maw={220}
        data={(['train', 'held-out'] as const).map((value) => ({
          value,
          label: t(`datasets.pictures.split.${value}`),
        }))}
        value={filter.split ?? null}
        onChange={(value) => set('split', value)}
      />
    </Group>
  );
}
