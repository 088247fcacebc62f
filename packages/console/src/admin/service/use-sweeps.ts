import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../service/client.js';

export const sweepsKey = ['admin', 'sweeps'];
const renewMs = 5000;

/** How the sweeps are, renewed every few seconds while somebody looks. */
export function useSweeps() {
  const client = useClient();
  return useQuery({
    queryKey: sweepsKey,
    queryFn: ({ signal }) => client.admin.sweeps({ signal }),
    refetchInterval: renewMs,
  });
}
