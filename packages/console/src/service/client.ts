import { createLynceusClient, type LynceusClient } from '@lynceus/client';
import { createContext, use } from 'react';
import { serviceAddress } from './addresses.js';

/** The client of the page: the cookie of the session is its credential, and the token proves that the page asks. */
export function createPageClient(readCsrfToken: () => string): LynceusClient {
  return createLynceusClient({ baseUrl: serviceAddress, session: { csrfToken: readCsrfToken } });
}

/** For requests without a session: signing in, and one-time links. */
export const openClient = createPageClient(() => '');

const ClientContext = createContext<LynceusClient | null>(null);
export const ClientProvider = ClientContext.Provider;

export function useClient(): LynceusClient {
  const client = use(ClientContext);
  if (!client) throw new Error('there is no ClientProvider above');
  return client;
}
