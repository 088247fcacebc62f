import { useQuery, useQueryClient } from '@tanstack/react-query';
import { usePages } from '../kit/use-pages.js';
import { useClient } from '../service/client.js';

export function useModel(id: number) {
  const client = useClient();
  return useQuery({ queryKey: ['models', id], queryFn: ({ signal }) => client.models.read(id, { signal }) });
}

export function useVersions(modelId: number) {
  const client = useClient();
  return usePages(['models', modelId, 'versions'], (cursor, signal) =>
    client.modelVersions.page(modelId, { cursor, signal }),
  );
}

export function useVersion(modelId: number, number: number) {
  const client = useClient();
  return useQuery({
    queryKey: ['models', modelId, 'versions', number],
    queryFn: ({ signal }) => client.modelVersions.read(modelId, number, { signal }),
  });
}

/** After a model was changed: what is shown of models is asked for again. */
export function useRenewModels(): () => void {
  const queries = useQueryClient();
  return () => {
    queries.invalidateQueries({ queryKey: ['models'] });
    queries.invalidateQueries({ queryKey: ['jobs'] });
  };
}
