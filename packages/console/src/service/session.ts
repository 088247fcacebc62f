import { LynceusError, type Session } from '@lynceus/client';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { openClient, useClient } from './client.js';

export const sessionKey = ['session'] as const;

/** Null: nobody is signed in. */
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

/** Puts a session in force that the service has just begun, and forgets what belonged to another. */
export function useBeginSession(): (session: Session) => void {
  const queries = useQueryClient();
  return (session) => {
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
    queries.setQueryData(sessionKey, session);
  };
}

/** Signs out here, and forgets all that was shown. */
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

/** Nobody is signed in any more: leads to the sign-in. The session's own query stays, for the page watches it. */
export function forgetSession(queries: QueryClient): void {
  queries.setQueryData(sessionKey, null);
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
}
