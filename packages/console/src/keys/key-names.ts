import { useQuery } from '@tanstack/react-query';
import { useClient } from '../service/client.js';

/** An account has at most 100 keys that are good, and old ones go. */
const maxKeys = 300;

/** What the account's keys are called, by id, for lists that tell keys by number. */
export function useKeyNames(): ReadonlyMap<number, string> {
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
  return data ?? new Map();
}
