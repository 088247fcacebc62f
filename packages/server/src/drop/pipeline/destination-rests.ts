import { LRUCache } from 'lru-cache';
import { DeliveryError } from '../destinations/destination.js';

/**
 * Lets destinations rest that failed: while one does, its files go back to waiting at once instead of holding up those of
 * other drops until each of them has found out by itself.
 */
export interface DestinationRests {
  /** Does it, unless the destination rests. Throws what it throws, and the last failure while it rests. */
  attempt<T>(destination: string, deliver: () => Promise<T>): Promise<T>;
}

const firstRestMs = 2000;
const longestRestMs = 60_000;
const maxRemembered = 10_000;

interface Rest {
  readonly failures: number;
  readonly untilMs: number;
  readonly error: DeliveryError;
}

/** Failures that say nothing of the next file. */
const ofOneFile: ReadonlySet<DeliveryError['code']> = new Set(['exists', 'mismatch', 'settings']);

export function createDestinationRests(nowMs: () => number): DestinationRests {
  const rests = new LRUCache<string, Rest>({ max: maxRemembered });
  return {
    async attempt(destination, deliver) {
      const rest = rests.get(destination);
      if (rest && nowMs() < rest.untilMs) throw rest.error;
      // One goes first after a rest; the others wait for what becomes of it.
      if (rest) rests.set(destination, { ...rest, untilMs: nowMs() + firstRestMs });
      try {
        const answer = await deliver();
        rests.delete(destination);
        return answer;
      } catch (error) {
        if (error instanceof DeliveryError && !ofOneFile.has(error.code)) {
          const failures = (rest?.failures ?? 0) + 1;
          const restMs = Math.min(longestRestMs, firstRestMs * 2 ** Math.min(10, failures - 1));
          rests.set(destination, { failures, untilMs: nowMs() + restMs, error });
        }
        throw error;
      }
    },
  };
}
