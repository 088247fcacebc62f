import { type DatasetBox, LynceusError } from '@lynceus/client';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../service/current-session.js';
import { serviceAddress } from '../service/place.js';
import type { Suggestion } from './drafts/draft.js';

/** What a model takes a picture to show. */
export interface LabelSuggestions {
  /** What the dataset has a class for, the surest first. */
  readonly labels: readonly Suggestion[];
  /** What it has none for. */
  readonly others: readonly { readonly title: string; readonly score: number }[];
}

/** Whose suggestions are shown: nobody's, the built-in model's, or those of a model of the account by its UID. */
export type Suggester = 'nobody' | 'built-in' | (string & {});

interface Answer {
  readonly labels: readonly {
    readonly class_id: number;
    readonly box: DatasetBox | null;
    readonly score: number;
  }[];
  readonly others: readonly { readonly title: string; readonly score: number }[];
}

const none: LabelSuggestions = { labels: [], others: [] };

/** Suggestions for a picture. Asked again when the dataset has another class, for then more of them have one. */
export function useSuggestions(datasetId: number, pictureId: number, suggester: Suggester, classes: number) {
  const { csrf_token: csrfToken } = useSession();
  return useQuery({
    queryKey: ['suggestions', datasetId, pictureId, suggester, classes],
    queryFn: ({ signal }) => askSuggestions(datasetId, pictureId, suggester, csrfToken, signal),
    enabled: suggester !== 'nobody',
    staleTime: Infinity,
    retry: 1,
  });
}

async function askSuggestions(
  datasetId: number,
  pictureId: number,
  suggester: Suggester,
  csrfToken: string,
  signal: AbortSignal,
): Promise<LabelSuggestions> {
  if (suggester === 'nobody') return none;
  const address = `${serviceAddress}/api/datasets/${datasetId}/pictures/${pictureId}/suggestions`;
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-csrf-token': csrfToken },
    body: JSON.stringify(suggester === 'built-in' ? {} : { model_id: suggester }),
    signal,
  });
  const answer = await response.json();
  if (!response.ok) {
    throw new LynceusError(answer.code ?? 'unreadable_answer', answer.detail ?? `HTTP ${response.status}`, {
      httpStatus: response.status,
    });
  }
  const { labels, others } = answer as Answer;
  return {
    labels: labels.map(({ class_id, box, score }, key) => ({ key, classId: class_id, box, score })),
    others,
  };
}
