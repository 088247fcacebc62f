import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useClient } from '../service/client.js';

/** An account has at most 100 keys that are good, and old ones go. */
const maxKeys = 300;

/** What the account's keys are called, by id, for lists that identify keys by number. Keys in no list belong to this page. */
export function useKeyNames(): { names: ReadonlyMap<number, string>; nameOf: (id: number) => string } {
  const { t } = useTranslation();
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['keys', 'names'],
    queryFn: async ({ signal }) => {
      const names = new Map<number, string>();
      for await (const { id, name } of client.keys.list({ limit: 100, signal })) {
        names.set(id, name);
        if (names.size === maxKeys) break;
      }
      return names;
    },
    staleTime: 60_000,
  });
  return {
    names: data ?? new Map(),
    nameOf: (id) => (data ? (data.get(id) ?? t('keys.ofThePage')) : '…'),
  };
}
