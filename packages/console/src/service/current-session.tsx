import type { Session } from '@lynceus/client';
import { createContext, use } from 'react';

const SessionContext = createContext<Session | null>(null);
export const SessionProvider = SessionContext.Provider;

/** The session of the signed-in user. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('nobody is signed in here');
  return session;
}

/** Whether the user may change data: a reader may not. */
export function useMayChange(): boolean {
  return useSession().user.role !== 'reader';
}
