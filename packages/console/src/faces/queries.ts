import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../service/client.js';

/** A perception with how many people and images it has. The query is invalidated by the progress of a job. */
export function usePerception(modelId: number) {
  const client = useClient();
  return useQuery({
    queryKey: ['perceptions', modelId],
    queryFn: ({ signal }) => client.perceptions.read(modelId, { signal }),
  });
}

export function usePerson(personId: number) {
  const client = useClient();
  return useQuery({
    queryKey: ['faces', 'person', personId],
    queryFn: ({ signal }) => client.people.read(personId, { signal }),
  });
}

/** After a change: visible queries are refetched, and lists out of view are removed from the cache. */
export function useRenewFaces(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    queries.removeQueries({ queryKey: ['faces'], type: 'inactive' });
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['faces'] }),
      queries.invalidateQueries({ queryKey: ['perceptions'] }),
    ]);
  };
}
