import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient } from '../service/client.js';

/** Perceptions whose people are offered, and how many people of each. */
const maxPerceptions = 10;
const maxPeople = 10;
const typingMs = 250;

/** Selects a person of any perception by a part of the name. */
export function PersonFilter({
  value,
  onChange,
}: {
  /** The id of a person. */
  value: string | null;
  onChange: (id: string | null) => void;
}) {
  const { t } = useTranslation();
  const client = useClient();
  const [typed, setTyped] = useState('');
  const chosen = useQuery({
    queryKey: ['faces', 'person', Number(value)],
    queryFn: ({ signal }) => client.people.read(Number(value), { signal }),
    enabled: value !== null,
    retry: false,
  });
  const isChosenShown = chosen.data?.name === typed;
  const [search] = useDebouncedValue(isChosenShown ? '' : typed.trim(), typingMs);
  const perceptions = useQuery({
    queryKey: ['perceptions', 'offered'],
    queryFn: ({ signal }) => client.perceptions.page({ limit: 100, signal }),
  });
  const offered = (perceptions.data?.data ?? []).slice(0, maxPerceptions);
  const found = useQueries({
    queries: offered.map(({ model_id }) => ({
      queryKey: ['faces', 'found', model_id, search],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        client.people.page(model_id, { search: search || undefined, limit: maxPeople, signal }),
      placeholderData: keepPreviousData,
    })),
  });
  const groups = offered.map(({ name }, index) => ({
    group: name,
    items: (found[index]?.data?.data ?? [])
      .map((person) => ({ value: String(person.id), label: person.name }))
      .filter((person) => person.value !== value),
  }));
  const first = value === null ? [] : [{ value, label: chosen.data?.name ?? value }];
  return (
    <Select
      label={t('streamEvents.filter.person')}
      data={[...first, ...groups.filter(({ items }) => items.length > 0)]}
      // The service has searched already.
      filter={({ options }) => options}
      searchable
      clearable
      nothingFoundMessage={t('streamEvents.filter.noPerson')}
      value={value}
      onSearchChange={setTyped}
      onChange={onChange}
    />
  );
}
