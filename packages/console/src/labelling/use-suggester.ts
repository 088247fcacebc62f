import type { CountedDataset, DatasetImage } from '@lynceus/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useOwnModels } from '../models/known-models.js';
import { useClient } from '../service/client.js';
import { type Draft, openSuggestions, type Suggestion } from './drafts/draft.js';

/** The source of suggestions: none, the built-in model, or a model of the account by its UID. */
type Suggester = 'none' | 'built-in' | (string & {});

/** The source of suggestions and the open ones. By default the model that was trained on the dataset suggests. */
export function useSuggester(dataset: CountedDataset, image: DatasetImage, draft: Draft) {
  const models = (useOwnModels().data ?? []).filter(
    ({ task, version }) => task === dataset.task && version !== null,
  );
  const own = models.find((model) => model.dataset_id === dataset.id);
  const [wanted, setWanted] = useState<Suggester | null>(null);
  const suggester = wanted ?? own?.uid ?? 'none';
  const query = useSuggestions(dataset.id, image.id, suggester, dataset.classes.length);
  const isOnlyOne = dataset.task === 'classification' && !dataset.multi_label;
  // A labelled image needs no suggested class, but it may lack boxes.
  const isAnswered = isOnlyOne && draft.labels !== null;
  const all = query.data?.labels ?? [];
  return {
    suggester,
    setSuggester: setWanted,
    models,
    query,
    open: isAnswered ? [] : openSuggestions(draft, isOnlyOne ? all.slice(0, 1) : all),
    others: query.data?.others ?? [],
  };
}

export type SuggesterState = ReturnType<typeof useSuggester>;

/** Suggestions for an image. Requested again after a class was added, since more suggestions may then have a class. */
function useSuggestions(datasetId: number, imageId: number, suggester: Suggester, classes: number) {
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
    enabled: suggester !== 'none',
    staleTime: Infinity,
    retry: 1,
  });
}
