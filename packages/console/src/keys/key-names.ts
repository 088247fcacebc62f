import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useClient } from '../service/client.js';

/** An account has at most 100 valid keys, and old keys are deleted. */
const maxKeys = 300;

/** The names of the account's keys by id. Unlisted keys belong to the web account. */
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
