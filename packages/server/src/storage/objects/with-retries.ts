import { setTimeout as sleep } from 'node:timers/promises';

export interface RetryLimits {
  /** From the first attempt on; the last one may begin until then. */
  readonly giveUpAfterMs: number;
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
}

export const usualRetries: RetryLimits = { giveUpAfterMs: 20_000, firstPauseMs: 50, maxPauseMs: 3_000 };

/**
 * Repeats work that failed and may succeed shortly, after pauses that double, each with jitter: many replicas that
 * lost one store do not come back in step (M. Brooker, "Exponential Backoff And Jitter", AWS 2015).
 */
export async function withRetries<T>(
  work: () => Promise<T>,
  isPassing: (error: unknown) => boolean,
  { giveUpAfterMs, firstPauseMs, maxPauseMs }: RetryLimits,
): Promise<T> {
  const beganMs = performance.now();
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(maxPauseMs, pauseMs * 2)) {
    try {
      return await work();
    } catch (error) {
      const pausedMs = pauseMs / 2 + (Math.random() * pauseMs) / 2;
      if (!isPassing(error) || performance.now() + pausedMs - beganMs > giveUpAfterMs) throw error;
      await sleep(pausedMs);
    }
  }
}
