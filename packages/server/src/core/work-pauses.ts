import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Work on this thread that has gone on for so long lets other work run. */
const maxBlockingMs = 5;

/**
 * Returns what long work on this thread calls after each of its steps: it lets other work run now and then, and throws the reason of the
 * signal once it has fired.
 */
export function createPauses(signal?: AbortSignal): () => Promise<void> | undefined {
  let pausedAt = performance.now();
  return () => {
    if (performance.now() - pausedAt < maxBlockingMs) return undefined;
    signal?.throwIfAborted();
    return yieldToEventLoop().then(() => {
      pausedAt = performance.now();
    });
  };
}
