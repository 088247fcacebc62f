import { Autocomplete, Button, Collapse, Group, Select, SimpleGrid, TextInput } from '@mantine/core';
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks';
import { mdiFilterVariant } from '@mdi/js';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../kit/icon.js';
import { PersonFilter } from './person-filter.js';
import { countFilters, type TrackFilter } from './track-filter.js';
import { useStreams } from './use-streams.js';

const typingMs = 400;

/** Filters of the list, behind a button: they are open while one is set. */
export function TrackFilters({
  filter,
  onChange,
  onClear,
}: {
  filter: TrackFilter;
  onChange: (name: keyof TrackFilter, value: string | null) => void;
  onClear: () => void;
}) {
  const { t } = useTranslation();
  const { streams } = useStreams();
  const count = countFilters(filter);
  const [isOpen, open] = useDisclosure(count > 0);
  const chosen = streams.filter(({ id }) => filter.stream === null || String(id) === filter.stream);
  const zones = new Set(chosen.flatMap(({ settings }) => settings.zones.map(({ name }) => name)));
  if (filter.zone !== null) zones.add(filter.zone);
  const labels = new Set(streams.flatMap(({ settings }) => settings.classes.map(({ label }) => label)));
  return (
    <>
      <Group mb="md" gap="xs">
        <Button
          variant="default"
          leftSection={<Icon path={mdiFilterVariant} size={18} />}
          aria-expanded={isOpen}
          onClick={open.toggle}
        >
          {count === 0 ? t('streamEvents.filter.show') : t('streamEvents.filter.shown', { count })}
        </Button>
        {count > 0 && (
          <Button variant="subtle" onClick={onClear}>
            {t('streamEvents.filter.clear')}
          </Button>
        )}
      </Group>
      <Collapse expanded={isOpen}>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} mb="md">
          <Select
            label={t('streamEvents.filter.stream')}
            clearable
            searchable
            data={streams.map(({ id, name }) => ({ value: String(id), label: name }))}
            value={filter.stream}
            onChange={(value) => onChange('stream', value)}
          />
          <LabelFilter
            labels={[...labels]}
            value={filter.label}
            onChange={(value) => onChange('label', value)}
          />
          <PersonFilter value={filter.person} onChange={(value) => onChange('person', value)} />
          <Select
            label={t('streamEvents.filter.zone')}
            clearable
            data={[...zones]}
            value={filter.zone}
            onChange={(value) => onChange('zone', value)}
          />
          <DayFilter name="from" value={filter.from} onChange={onChange} />
          <DayFilter name="to" value={filter.to} onChange={onChange} />
        </SimpleGrid>
      </Collapse>
    </>
  );
}

/** A class, of those that streams look for or any other. */
function LabelFilter({
  labels,
  value,
  onChange,
}: {
  labels: readonly string[];
  value: string | null;
  onChange: (value: string | null) => void;
}) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(value ?? '');
  const settle = useDebouncedCallback((text: string) => onChange(text.trim() || null), typingMs);
  // It may have been cleared with all filters.
  useEffect(() => setTyped(value ?? ''), [value]);
  return (
    <Autocomplete
      label={t('streamEvents.filter.label')}
      placeholder={t('streamEvents.filter.labelExample')}
      maxLength={100}
      data={[...labels]}
      value={typed}
      onChange={(text) => {
        setTyped(text);
        settle(text);
      }}
    />
  );
}

function DayFilter({
  name,
  value,
  onChange,
}: {
  name: 'from' | 'to';
  value: string | null;
  onChange: (name: 'from' | 'to', value: string | null) => void;
}) {
  const { t } = useTranslation();
  return (
    <TextInput
      type="date"
      label={t(`streamEvents.filter.${name}`)}
      value={value ?? ''}
      onChange={(event) => onChange(name, event.currentTarget.value || null)}
    />
  );
}
