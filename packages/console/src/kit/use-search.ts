import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';

const typingMs = 250;

/** What is typed into a `SearchField`, and what is asked for once the typing pauses; undefined: everything. */
export function useSearch() {
  const [typed, onType] = useState('');
  const [settled] = useDebouncedValue(typed.trim(), typingMs);
  return { typed, onType, wanted: settled === '' ? undefined : settled };
}
