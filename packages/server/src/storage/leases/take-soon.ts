import { setTimeout as sleep } from 'node:timers/promises';
import type { RowLease, RowLeases } from './row-leases.js';

const waitMs = 1000;
const retryMs = 100;

/**
 * Takes a lease of something that a client asks for. Where another has it, waits a second for it: a client that has just been answered
 * may ask again at once, and one that asks again after every refusal costs little. Null where it is another's after that.
 * Throws the signal's reason.
 */
export async function takeSoon(
  rows: Pick<RowLeases, 'take'>,
  name: string,
  signal: AbortSignal,
): Promise<RowLease | null> {
  const until = performance.now() + waitMs;
  for (;;) {
    signal.throwIfAborted();
    const lease = await rows.take(name);
    if (lease !== null || performance.now() >= until) return lease;
    await sleep(retryMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}
