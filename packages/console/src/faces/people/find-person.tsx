import type { Person } from '@lynceus/client';
import { Group, Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { GivenName } from '../../kit/given-name.js';
import { useClient } from '../../service/client.js';
import { FaceThumbnail } from '../face-thumbnail.js';
import styles from './find-person.module.css';

const shown = 20;
const typingMs = 250;

/** Selects a person of a perception by a part of the name. */
export function FindPerson({
  modelId,
  exceptId,
  label,
  onChoose,
}: {
  modelId: number;
  /** A person who cannot be selected. */
  exceptId?: number;
  label: string;
  onChoose: (person: Person | null) => void;
}) {
  const { t } = useTranslation();
  const client = useClient();
  const [chosen, setChosen] = useState<Person | null>(null);
  const [typed, setTyped] = useState('');
  // After a selection the field contains the name, which is not searched.
  const [search] = useDebouncedValue(chosen?.name === typed ? '' : typed.trim(), typingMs);
  const found = useQuery({
    queryKey: ['faces', 'found', modelId, search],
    queryFn: ({ signal }) =>
      client.people.page(modelId, { search: search || undefined, limit: shown, signal }),
    placeholderData: keepPreviousData,
  });
  const listed = (found.data?.data ?? []).filter(({ id }) => id !== exceptId && id !== chosen?.id);
  const people = chosen ? [chosen, ...listed] : listed;
  const byId = new Map(people.map((person) => [String(person.id), person]));
  return (
    <Select
      label={label}
      placeholder={t('faces.findPerson')}
      data={people.map(({ id, name }) => ({ value: String(id), label: name }))}
      // The service has searched already.
      filter={({ options }) => options}
      searchable
      clearable
      required
      maxDropdownHeight={280}
      nothingFoundMessage={found.isPending ? t('shell.waiting') : t('faces.noPeopleFound')}
      value={chosen ? String(chosen.id) : null}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(id) => {
        const person = (id !== null && byId.get(id)) || null;
        setChosen(person);
        onChoose(person);
      }}
      renderOption={({ option }) => {
        const person = byId.get(option.value);
        return (
          <Group gap="sm" wrap="nowrap" className={styles['option'] ?? ''}>
            <div className={styles['face']}>
              <FaceThumbnail imageId={person?.image_id ?? null} width={64} />
            </div>
            <div className={styles['words']}>
              <GivenName name={option.label} size="sm" />
              <Text size="xs" c="dimmed" truncate>
                {t('faces.images', { count: person?.images ?? 0 })}
                {person?.key_id != null && ` · ${person.key_id}`}
              </Text>
            </div>
          </Group>
        );
      }}
    />
  );
}
