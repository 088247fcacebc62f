import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from './client.js';
import { sessionKey } from './session.js';

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
