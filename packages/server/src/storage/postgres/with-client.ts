import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { StorageError } from '../storage-error.js';
import { classifyError } from './explain.js';

/** Time in which a lost connection is opened again: enough for one that was cut, shorter than the timeouts of clients. */
const awayForMs = 2000;
/** Deadlocks and the like end when one of those in each other's way comes again a little later. */
const attemptsMax = 8;
const firstPauseMs = 20;

/**
 * Does work on a connection of the pool, and again when that may help: after a deadlock, and for a while when the
 * connection is lost. The work must be undone when it fails.
 */
export async function withClient<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await once(pool, work);
    } catch (error) {
      const errorClass = classifyError(error);
      const waitedMs = performance.now() - startedAt;
      const isHopeless =
        errorClass === 'refused' ||
        attempt === attemptsMax ||
        (errorClass === 'away' && waitedMs > awayForMs);
      if (isHopeless) throw error;
      await sleep(firstPauseMs * 2 ** (attempt - 1) * (0.5 + Math.random()));
    }
  }
}

async function once<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  // An error of the connection fails the query under way as well; unheard it would end the process.
  const ignore = () => undefined;
  client.on('error', ignore);
  let isSpent = false;
  try {
    return await work(client);
  } catch (error) {
    isSpent = classifyError(error) === 'away' || isLost(error);
    throw error;
  } finally {
    client.release(isSpent);
    // Not before: the pool puts its own ear to it on release.
    client.off('error', ignore);
  }
}

function isLost(error: unknown): boolean {
  return error instanceof StorageError && error.code === 'lost';
}
