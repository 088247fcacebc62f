import { useQuery } from '@tanstack/react-query';
import { useClient } from '../service/client.js';

export function useBuiltInModels() {
  const client = useClient();
  return useQuery({
    queryKey: ['built-in-models'],
    queryFn: async ({ signal }) => (await client.models.builtIn({ signal })).data,
    staleTime: 60_000,
  });
}
