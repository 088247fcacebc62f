import { TextInput } from '@mantine/core';
import { mdiMagnify } from '@mdi/js';
import { Icon } from './icon.js';
import type { useSearch } from './use-search.js';

/** Where words are typed by which a list of the service is narrowed down. */
export function SearchField({ label, search }: { label: string; search: ReturnType<typeof useSearch> }) {
  return (
    <TextInput
      type="search"
      style={{ flex: 1 }}
      maw={420}
      leftSection={<Icon path={mdiMagnify} size={18} />}
      aria-label={label}
      placeholder={label}
      maxLength={200}
      value={search.typed}
      onChange={(event) => search.onType(event.currentTarget.value)}
    />
  );
}
