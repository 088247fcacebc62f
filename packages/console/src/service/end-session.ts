import { useMutation, useQueryClient } from '@tanstack/react-query';
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
      queries.clear();
      queries.setQueryData(sessionKey, null);
    },
  });
}
