import { createLynceusClient, type LynceusClient } from '@lynceus/client';
import { useQueryClient } from '@tanstack/react-query';
import { serviceAddress } from './addresses.js';
import { useClient } from './client.js';

/** A key is replaced when it expires sooner than this. */
const marginMs = 60_000;

/**
 * The predict paths take keys alone. The service lends the session one for an hour; it stays in memory. Answers a
 * client that calls them with it, as any program does.
 */
export function usePredictClient(): () => Promise<LynceusClient> {
  const queries = useQueryClient();
  const client = useClient();
  return async () => {
    const { key } = await queries.query({
      queryKey: ['page-key'],
      queryFn: () => client.session.createKey(),
      staleTime: ({ state }) => (state.data ? Date.parse(state.data.expires_at) - Date.now() - marginMs : 0),
    });
    return createLynceusClient({ baseUrl: serviceAddress, apiKey: key });
  };
}
