import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { mdiMagnify } from '@mdi/js';
import { useState } from 'react';
import { Icon } from './icon.js';

const maxSearchLength = 200;

/** A search field, in a row above its list. */
export function SearchField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <TextInput
      type="search"
      flex="1 1 200px"
      maw={420}
      aria-label={label}
      placeholder={label}
      leftSection={<Icon path={mdiMagnify} size={18} />}
      maxLength={maxSearchLength}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

const typingMs = 250;

/** The text typed into a `SearchField`, and the debounced search; undefined: everything. */
export function useSearch() {
  const [typed, onType] = useState('');
  const [settled] = useDebouncedValue(typed.trim(), typingMs);
  return { typed, onType, wanted: settled === '' ? undefined : settled };
}
