import type { EmbedderState, FaceChain } from '@lynceus/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useShowError } from '../../kit/error-text.js';
import { useClient } from '../../service/client.js';
import { useRenewFaces } from '../queries.js';

/** Begins a change, goes on with a held one, or ends it. */
export function useChangeEmbedder(modelId: number) {
  const client = useClient();
  const queries = useQueryClient();
  const renew = useRenewFaces();
  const onError = useShowError();
  return useMutation({
    mutationFn: (wanted: { readonly chain: FaceChain; readonly leaveOut?: boolean } | 'cancel') =>
      wanted === 'cancel' ? client.embedders.cancelChange(modelId) : client.embedders.change(modelId, wanted),
    onSuccess: (state: EmbedderState) => {
      queries.setQueryData(['perceptions', modelId, 'embedder'], state);
      return renew();
    },
    onError,
  });
}
