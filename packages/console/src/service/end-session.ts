import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from './client.js';
import { sessionKey } from './session.js';

/** Signs out here, and forgets all that was shown. */
export function useEndSession() {
  const queries = useQueryClient();
  const client = useClient();
  return useMutation({
    mutationFn: () => client.session.signOut(),
    onSettled: () => {
      queries.clear();
      queries.setQueryData(sessionKey, null);
    },
  });
}
