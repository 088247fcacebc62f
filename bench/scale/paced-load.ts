import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { type Request, statusOf } from '../speed/load.js';

/**
 * Open loop: requests at a rate, whether or not those before them are answered. A latency counts from when its request was due, so
 * that a service that stands still is not spared the waiting it causes.
 * @returns milliseconds, ascending, of those that were answered 200; the rest is in `failed`
 */
export async function sendPaced(
  url: string,
  requests: readonly Request[],
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
): Promise<{ readonly latenciesMs: readonly number[]; readonly failed: number }> {
  const pool = new Pool(url, { connections: 256, pipelining: 1, headersTimeout: 120_000 });
  const latenciesMs: number[] = [];
  let failed = 0;
  const startedAt = performance.now();
  const send = async (index: number) => {
    const dueMs = startedAt + (index * 1000) / perSecond;
    await sleep(Math.max(0, dueMs - performance.now()));
    const request = requests[index % requests.length];
    if (!request) return;
    const status = await statusOf(pool, request);
    if (status === 200) latenciesMs.push(performance.now() - dueMs);
    else failed += 1;
  };
  await Promise.all(Array.from({ length: Math.round(perSecond * seconds) }, (_, index) => send(index)));
  await pool.close();
  return { latenciesMs: latenciesMs.sort((a, b) => a - b), failed };
}
