import { LynceusError } from '../error.js';
import type { Call } from './call.js';
import type { TimeLimit } from './limit-time.js';

const firstWaitMs = 500;
/** So that clients that were refused together do not come back together. */
const spread = 0.25;

/**
 * Whether trying again can help and does no harm. A busy service gives the call back, so nothing is counted twice; but it
 * may have run out of time at the last step of making something.
 */
export function isWorthRepeating(error: unknown, { creates }: Pick<Call, 'creates'>): error is LynceusError {
  if (!(error instanceof LynceusError)) return false;
  const { code, httpStatus } = error;
  // What stands before the service refuses in its own words.
  const isForeign = code === 'unreadable_answer';
  const isLimited = code === 'too_many_requests' || (isForeign && httpStatus === 429);
  const isBusy = code === 'service_busy' || (isForeign && httpStatus === 503);
  return isLimited || (isBusy && creates !== true);
}

/** Waits as long as the service asks, and longer with each attempt. False, at once, when the time left is too short. */
export async function waitBeforeRepeating(
  { retryAfterMs }: LynceusError,
  attempt: number,
  { signal, leftMs }: TimeLimit,
): Promise<boolean> {
  const leastMs = Math.max(retryAfterMs ?? 0, firstWaitMs * 2 ** attempt);
  const waitMs = leastMs * (1 + spread * Math.random());
  if (waitMs >= leftMs()) return false;
  await new Promise<void>((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, waitMs);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  return true;
}
