import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKeyedMutex, type WithKeyLock } from '../../core/keyed-mutex.js';
import type { RowLease, RowLeases } from './row-leases.js';

const firstPauseMs = 20;
const longestPauseMs = 500;

/**
 * Work under one key happens one at a time in all services on the database. Within this process callers wait in their order and
 * ask the database one after the other.
 */
export function createSharedLock(rows: Pick<RowLeases, 'take'>): WithKeyLock {
  const withKeyLock = createKeyedMutex();
  return (key, work) =>
    withKeyLock(key, async () => {
      const lease = await waitFor(rows, nameOf(key));
      try {
        return await work(lease.signal);
      } finally {
        await lease.release();
      }
    });
}

async function waitFor(rows: Pick<RowLeases, 'take'>, name: string): Promise<RowLease> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, 2 * pauseMs)) {
    const lease = await rows.take(name);
    if (lease !== null) return lease;
    await sleep(pauseMs * (0.5 + Math.random() / 2));
  }
}

/** Keys have names of customers' files in them, and are of any length. */
function nameOf(key: string): string {
  return `lock ${createHash('sha256').update(key).digest('base64url')}`;
}
