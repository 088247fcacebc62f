import { createLynceusClient, type LynceusClient } from '@lynceus/client';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { serviceAddress } from './addresses.js';
import { useSession } from './current-session.js';
import { createUploadFetch, type Sent } from './upload-fetch.js';

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

/** Large files may take long: the default upload time limit of the service. */
const uploadTimeoutMs = 3_600_000;

/** A client for one upload of this page's user, which reports how much was sent. */
export function useUploadClient(): (onSent: (sent: Sent) => void) => LynceusClient {
  const { csrf_token: token } = useSession();
  return (onSent) =>
    createLynceusClient({
      baseUrl: serviceAddress,
      session: { csrfToken: () => token },
      fetch: createUploadFetch(onSent),
      timeoutMs: uploadTimeoutMs,
    });
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
