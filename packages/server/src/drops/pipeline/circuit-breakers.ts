import { LRUCache } from 'lru-cache';
import { DeliveryError } from '../../delivery/destination.js';
import type { DropRef } from '../files/file-rows.js';

/**
 * Lets destinations rest that failed: while one does, its files go back to waiting at once instead of holding up those of
 * other drops until each of them has found out by itself.
 */
export type CircuitBreakers = ReturnType<typeof createCircuitBreakers>;

interface CircuitBreakerDeps {
  readonly nowMs: () => number;
  /** The first delivery after a rest came through. */
  readonly onRecovered: (drop: DropRef) => void;
}

const firstOpenMs = 2000;
const maxOpenMs = 60_000;
const maxRemembered = 10_000;

interface Breaker {
  readonly mark: string;
  readonly failures: number;
  readonly untilMs: number;
  readonly error: DeliveryError;
}

/** Failures that say nothing of the next file. */
const ofOneFile: ReadonlySet<DeliveryError['code']> = new Set(['exists', 'mismatch', 'settings']);

export function createCircuitBreakers({ nowMs, onRecovered }: CircuitBreakerDeps) {
  const breakers = new LRUCache<string, Breaker>({ max: maxRemembered });
  const nameOf = ({ accountId, dropId }: DropRef) => `${accountId} ${dropId}`;
  return {
    /** A test of the destination succeeded. */
    end: (drop: DropRef) => void breakers.delete(nameOf(drop)),

    /**
     * Does it, unless the drop's destination rests. Throws what it throws, and the last failure while it rests.
     * @param mark of the destination's settings: a changed one does not rest
     */
    async attempt<T>(drop: DropRef, mark: string, deliver: () => Promise<T>): Promise<T> {
      const name = nameOf(drop);
      const known = breakers.get(name);
      const breaker = known?.mark === mark ? known : undefined;
      if (breaker && nowMs() < breaker.untilMs) throw breaker.error;
      // One goes first after a rest; the others wait for what becomes of it.
      if (breaker) breakers.set(name, { ...breaker, untilMs: nowMs() + firstOpenMs });
      try {
        const answer = await deliver();
        if (breakers.delete(name)) onRecovered(drop);
        return answer;
      } catch (error) {
        if (error instanceof DeliveryError && !ofOneFile.has(error.code)) {
          const failures = (breaker?.failures ?? 0) + 1;
          const openMs = Math.min(maxOpenMs, firstOpenMs * 2 ** Math.min(10, failures - 1));
          breakers.set(name, { mark, failures, untilMs: nowMs() + openMs, error });
        }
        throw error;
      }
    },
  };
}
