import { createLynceusClient, type LynceusClient } from '@lynceus/client';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { serviceAddress } from './addresses.js';

/** The client of the page. The cookie of the session authenticates it; the token protects against cross-site requests. */
export function createPageClient(readCsrfToken: () => string): LynceusClient {
  return createLynceusClient({ baseUrl: serviceAddress, session: { csrfToken: readCsrfToken } });
}

/** For requests without a session: sign-in and one-time links. */
export const openClient = createPageClient(() => '');

const ClientContext = createContext<LynceusClient | null>(null);
export const ClientProvider = ClientContext.Provider;

export function useClient(): LynceusClient {
  const client = use(ClientContext);
  if (!client) throw new Error('there is no ClientProvider above');
  return client;
}

/** A key is replaced when it expires sooner than this. */
const marginMs = 60_000;

/**
 * The predict paths accept only keys. The service creates a key for the session, valid for an hour and kept in memory.
 * Returns a client with this key.
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
