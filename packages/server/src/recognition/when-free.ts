import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from '@lynceus/engine';

const firstWaitMs = 100;
const longestWaitMs = 2000;

/** The same analysis, which waits while others are served. Throws what else it throws, or the signal's reason. */
export async function whenFree<T>(analyse: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
    try {
      return await analyse();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof EngineError) || error.code !== 'busy') throw error;
      await sleep(waitMs, undefined, { signal });
    }
  }
}
