import { LynceusError, type Session } from '@lynceus/client';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { openClient, useClient } from './client.js';

export const sessionKey = ['session'] as const;

/** Null: not signed in. */
export function useSessionQuery() {
  return useQuery({ queryKey: sessionKey, queryFn: readSession, staleTime: 60_000, retry: 2 });
}

async function readSession(): Promise<Session | null> {
  try {
    return await openClient.session.read();
  } catch (error) {
    if (error instanceof LynceusError && error.code === 'not_signed_in') return null;
    throw error;
  }
}

/** Sets a session that the service has just started, and clears the data of another. */
export function useBeginSession(): (session: Session) => void {
  const queries = useQueryClient();
  return (session) => {
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
    queries.setQueryData(sessionKey, session);
  };
}

/** Signs out and clears all cached data. */
export function useEndSession() {
  const queries = useQueryClient();
  const client = useClient();
  return useMutation({
    mutationFn: () => client.session.signOut(),
    onSettled: () => {
      forgetSession(queries);
    },
  });
}

/** Signs out on this page and leads to the sign-in. The query of the session stays, since the page observes it. */
export function forgetSession(queries: QueryClient): void {
  queries.setQueryData(sessionKey, null);
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
}
