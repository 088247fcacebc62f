import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useSession } from './current-session.js';
import { serviceAddress } from './place.js';
import { sessionKey } from './session.js';

/** Signs out here, and forgets all that was shown. */
export function useEndSession() {
  const queries = useQueryClient();
  const { csrf_token } = useSession();
  return useMutation({
    mutationFn: async () => {
      await fetch(`${serviceAddress}/api/session`, {
        method: 'DELETE',
        headers: { 'x-csrf-token': csrf_token },
      });
    },
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
