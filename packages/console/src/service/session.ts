import { LynceusError } from '@lynceus/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { askService } from './ask.js';

/** Who is signed in, as `/api/session` tells it. */
export interface Session {
  readonly user: {
    readonly id: number;
    readonly email: string;
    readonly name: string;
    readonly role: Role;
    readonly is_administrator: boolean;
    readonly has_totp: boolean;
  };
  readonly account: { readonly id: number; readonly name: string; readonly plan: 'paid' | 'trial' };
  readonly csrf_token: string;
  readonly expires_at: string;
}

export type Role = 'owner' | 'member' | 'reader';

export const sessionKey = ['session'] as const;

/** Null: nobody is signed in. */
export function useSessionQuery() {
  return useQuery({ queryKey: sessionKey, queryFn: readSession, staleTime: 60_000, retry: 2 });
}

async function readSession(): Promise<Session | null> {
  try {
    return await askService<Session>('GET', '/api/session');
  } catch (error) {
    if (error instanceof LynceusError && error.httpStatus === 401) return null;
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
