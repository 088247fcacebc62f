import { useQuery } from '@tanstack/react-query';
import { useClient } from '../service/client.js';
import type { Suggestion } from './drafts/draft.js';

/** Whose suggestions are shown: nobody's, the built-in model's, or those of a model of the account by its UID. */
export type Suggester = 'nobody' | 'built-in' | (string & {});

/** Suggestions for an image. Asked again when the dataset has another class, for then more of them have one. */
export function useSuggestions(datasetId: number, imageId: number, suggester: Suggester, classes: number) {
  const client = useClient();
  return useQuery({
    queryKey: ['suggestions', datasetId, imageId, suggester, classes],
    queryFn: async ({ signal }) => {
      const modelId = suggester === 'built-in' ? undefined : suggester;
      const { labels, others } = await client.datasetImages.suggest(datasetId, imageId, {
        modelId,
        signal,
      });
      const suggestions: readonly Suggestion[] = labels.map(({ class_id, box, score }, key) => ({
        key,
        classId: class_id,
        box,
        score,
      }));
      return { labels: suggestions, others };
    },
    enabled: suggester !== 'nobody',
    staleTime: Infinity,
    retry: 1,
  });
}
