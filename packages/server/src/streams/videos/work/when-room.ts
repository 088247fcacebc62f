import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../../core/service-error.js';

const firstWaitMs = 250;
const longestWaitMs = 4000;

/**
 * The same work, which waits while bodies of requests take all of the spool. Throws what else it throws, or the signal's reason.
 * @param onWait called before each wait
 */
export async function whenRoom<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  onWait: () => void,
): Promise<T> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
    try {
      return await work();
    } catch (error) {
      if (!isSpoolFull(error)) throw error;
      onWait();
      await sleep(waitMs, undefined, { signal });
    }
  }
}

export function isSpoolFull(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'service_busy';
}
