import { ServiceError } from '../core/service-error.js';
import { StorageError } from '../storage/storage-error.js';
import type { Perception } from './perception.js';
import type { Perceptions } from './perceptions.js';

/** A perception changes its embedder once in a while: more than one change during one enrolment is an error. */
const maxTries = 3;

/**
 * Adding that looks at the image again when the perception has changed its embedder meanwhile: what the former one saw
 * is of no use to it.
 */
export function followEmbedder<Rest extends readonly unknown[], Result>(
  add: (accountId: number, perception: Perception, ...rest: Rest) => Promise<Result>,
  perceptions: Pick<Perceptions, 'read'>,
): (accountId: number, perception: Perception, ...rest: Rest) => Promise<Result> {
  return async (accountId, perception, ...rest) => {
    let current = perception;
    for (let tries = 1; ; tries += 1) {
      try {
        return await add(accountId, current, ...rest);
      } catch (error) {
        if (tries === maxTries || !isRefused(error)) throw error;
        const now = await perceptions.read(accountId, perception.id).catch(() => null);
        if (now === null || now.embedder === current.embedder) throw error;
        current = now;
      }
    }
  };
}

/** The unit had no place for its rows: a person, a perception or its embedder is another now. */
function isRefused(error: unknown): boolean {
  if (error instanceof ServiceError) return error.code === 'not_found';
  return error instanceof StorageError && error.code === 'constraint';
}
