import type { CountedDataset, DatasetImage } from '@lynceus/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../service/client.js';
import { type Draft, openSuggestions, type Suggestion } from './drafts/draft.js';

/** The source of suggestions: none, the built-in model, or a model of the account by its UID. */
export type Suggester = 'nobody' | 'built-in' | (string & {});

const modelsOffered = 100;

/** The source of suggestions and the open ones. By default the model that was trained on the dataset suggests. */
export function useSuggester(dataset: CountedDataset, image: DatasetImage, draft: Draft) {
  const client = useClient();
  const models = useQuery({
    queryKey: ['models', 'that-suggest', dataset.task],
    queryFn: async ({ signal }) => {
      const { data } = await client.models.page({ limit: modelsOffered, signal });
      return data.filter(({ task, version }) => task === dataset.task && version !== null);
    },
  });
  const own = models.data?.find((model) => model.dataset_id === dataset.id);
  const [wanted, setWanted] = useState<Suggester | null>(null);
  const suggester = wanted ?? own?.uid ?? 'nobody';
  const query = useSuggestions(dataset.id, image.id, suggester, dataset.classes.length);
  const isOnlyOne = dataset.task === 'classification' && !dataset.multi_label;
  // An image that was labelled before needs no suggestions of classes: of boxes it may lack some.
  const isAnswered = isOnlyOne && draft.labels !== null;
  const all = query.data?.labels ?? [];
  return {
    suggester,
    setSuggester: setWanted,
    models: models.data ?? [],
    query,
    open: isAnswered ? [] : openSuggestions(draft, isOnlyOne ? all.slice(0, 1) : all),
    others: query.data?.others ?? [],
  };
}

export type SuggesterState = ReturnType<typeof useSuggester>;

/** Suggestions for an image. Asked again when the dataset has another class, for then more of them have one. */
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
    enabled: suggester !== 'nobody',
    staleTime: Infinity,
    retry: 1,
  });
}
