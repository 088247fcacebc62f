import { LynceusError, type Session } from '@lynceus/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { openClient } from './client.js';

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
