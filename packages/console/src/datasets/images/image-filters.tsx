import type { CountedDataset, DatasetImageFilter } from '@lynceus/client';
import { Group, Select } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { SearchField } from '../../kit/search-field.js';

const typingMs = 300;

export function ImageFilters({
  dataset,
  filters: { filter, set },
}: {
  dataset: CountedDataset;
  filters: ReturnType<typeof useImageFilter>;
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

/** The filter of the grid; it is in the address, so that it can be bookmarked and shared. */
export function useImageFilter() {
  const [params, setParams] = useSearchParams();
  const [classId, labelled, split, search] = ['class', 'labelled', 'split', 'search'].map((name) =>
    params.get(name),
  );
  const filter: DatasetImageFilter = {
    classId: classId && /^\d+$/.test(classId) ? Number(classId) : undefined,
    labelled: labelled === 'yes' ? true : labelled === 'no' ? false : undefined,
    split: split === 'train' || split === 'held-out' ? split : undefined,
    search: search || undefined,
  };
  const set = (name: 'class' | 'labelled' | 'split' | 'search', value: string | null) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      { replace: true },
    );
  return { filter, set, clear: () => setParams({}, { replace: true }) };
}
