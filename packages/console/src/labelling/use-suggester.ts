import type { CountedDataset, DatasetImage } from '@lynceus/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../service/client.js';
import { type Draft, openSuggestions } from './drafts/draft.js';
import { type Suggester, useSuggestions } from './suggestions.js';

const modelsOffered = 100;

/** Who suggests, and what of it is still open. The model that was trained on the dataset suggests unless told otherwise. */
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
