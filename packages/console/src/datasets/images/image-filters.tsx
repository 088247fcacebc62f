import type { CountedDataset } from '@lynceus/client';
import { Group, Select } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SearchField } from '../../kit/search-field.js';
import type { useImageFilter } from './use-image-filter.js';

const typingMs = 300;

export function ImageFilters({
  dataset,
  narrowing: { filter, set },
}: {
  dataset: CountedDataset;
  narrowing: ReturnType<typeof useImageFilter>;
}) {
  const { t } = useTranslation();
  const [search, setSearch] = useState(filter.search ?? '');
  const searchSoon = useDebouncedCallback((text: string) => set('search', text), typingMs);
  return (
    <Group gap="xs" mb="md">
      <SearchField
        label={t('datasets.images.search')}
        value={search}
        onChange={(text) => {
          setSearch(text);
          searchSoon(text);
        }}
      />
      <Select
        aria-label={t('datasets.images.byClass')}
        placeholder={t('datasets.images.anyClass')}
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
        aria-label={t('datasets.images.byLabelled')}
        placeholder={t('datasets.images.anyLabelled')}
        clearable
        flex="1 1 150px"
        maw={220}
        data={(['yes', 'no'] as const).map((value) => ({
          value,
          label: t(`datasets.images.labelled.${value}`),
        }))}
        value={filter.labelled === undefined ? null : filter.labelled ? 'yes' : 'no'}
        onChange={(value) => set('labelled', value)}
      />
      <Select
        aria-label={t('datasets.images.bySplit')}
        placeholder={t('datasets.images.anySplit')}
        clearable
        flex="1 1 150px"
        maw={220}
        data={(['train', 'held-out'] as const).map((value) => ({
          value,
          label: t(`datasets.images.split.${value}`),
        }))}
        value={filter.split ?? null}
        onChange={(value) => set('split', value)}
      />
    </Group>
  );
}
