import { concurrently } from '../concurrently.js';
import { api } from '../load/api-kinds.js';
import { readObject } from '../load/outcome.js';
import type { Visitor } from '../load/visitor.js';
import type { ImageRow } from './stored-faces.js';

export interface FacesAsked {
  readonly modelId: number;
  readonly key: string;
  /** Of images that are stored. */
  readonly present: readonly Pick<ImageRow, 'id' | 'personId' | 'image'>[];
  /** Deleted images, as they were sent. */
  readonly deleted: readonly { readonly id: number; readonly image: Buffer }[];
}

/** The similarity of the same image: other drawings reach less, and come after it in any case. */
const leastSimilarity = 0.99;

/** Searches by each image: a stored one must be found first, a deleted one not at all. */
export async function findUnfoundFaces(
  visitor: Pick<Visitor, 'ask'>,
  { modelId, key, present, deleted }: FacesAsked,
): Promise<readonly string[]> {
  const search = async (image: Buffer) => {
    const sent = api(key, 'POST', `/api/perceptions/${modelId}/search`);
    const headers = { ...sent.headers, 'content-type': 'application/octet-stream' };
    const { outcome, text } = await visitor.ask({ ...sent, headers, body: image });
    const [face] = listIn(readObject(text)['faces']);
    return { outcome, candidates: listIn(face?.['candidates']) };
  };
  const unfound = await concurrently([...present], 4, async ({ id, personId, image }) => {
    if (image === null) return [];
    const { outcome, candidates } = await search(image);
    const [best] = candidates;
    const isItself =
      best?.['image_id'] === id &&
      best['person_id'] === personId &&
      Number(best['similarity']) > leastSimilarity;
    return isItself
      ? []
      : [`face image ${id} of person ${personId} is not found: ${outcome} ${JSON.stringify(best)}`];
  });
  const found = await concurrently([...deleted], 4, async ({ id, image }) => {
    const { outcome, candidates } = await search(image);
    if (outcome !== '200') return [`the search for a deleted face image is answered ${outcome}`];
    return candidates.some((candidate) => candidate['image_id'] === id)
      ? [`face image ${id} was deleted and is found`]
      : [];
  });
  return [...unfound.flat(), ...found.flat()];
}

/**
 * Compares the number of indexed faces with that of stored ones: a search hides faces that only the index has.
 * An external index reports none.
 */
export async function findMisindexedFaces(metricsUrl: string, stored: number): Promise<readonly string[]> {
  const text = await (await fetch(metricsUrl)).text();
  const value = (name: string) =>
    Number(new RegExp(`^lynceus_face_index_${name} (\\S+)`, 'm').exec(text)?.[1] ?? 0);
  const indexed = value('faces');
  return value('galleries') === 0 || indexed === stored
    ? []
    : [`${indexed} faces are in the index of ${stored} stored`];
}

function listIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map(readObject) : [];
}
