import { createLynceusClient, type LynceusClient } from '@lynceus/client';
import { useQueryClient } from '@tanstack/react-query';
import { askService } from './ask.js';
import { useSession } from './current-session.js';
import { serviceAddress } from './place.js';

/** A key is renewed when it has less than this left. */
const marginMs = 60_000;

/**
 * The predict paths take keys alone. The service lends the session one for an hour; it stays in memory. Answers a
 * client that calls them with it, as any program does.
 */
export function usePredictClient(): () => Promise<LynceusClient> {
  const queries = useQueryClient();
  const { csrf_token } = useSession();
  return async () => {
    const { key } = await queries.query({
      queryKey: ['page-key'],
      queryFn: () => askService<LentKey>('POST', '/api/session/key', {}, csrf_token),
      staleTime: ({ state }) => (state.data ? Date.parse(state.data.expires_at) - Date.now() - marginMs : 0),
    });
    return createLynceusClient({ baseUrl: serviceAddress, apiKey: key });
  };
}

interface LentKey {
  readonly key: string;
  readonly expires_at: string;
}
