import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../errors/service-error.js';
import type { Job } from '../jobs/job.js';
import { toJob } from './job.js';

/** Between looks at the job; another service may be working on it, so the database is asked. */
const lookMs = 500;
/** Whatever is on the way closes a connection on which nothing comes. */
const heartbeatMs = 15_000;

/**
 * A job as server-sent events (WHATWG HTML, 9.2): `progress` now and with every change, `end` at its end, each with the job
 * as data; a comment when nothing changes for long. Ends after `end`, when the signal fires and when the credential is good no longer. A job that is deleted
 * together with what it works on ends as cancelled.
 */
export async function* writeJobEvents(
  readJob: () => Promise<Job>,
  isStillLetIn: () => Promise<boolean>,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  let told = '';
  let toldMs = performance.now();
  let last: Job | null = null;
  while (!signal.aborted && (await isStillLetIn())) {
    const job: Job | null = (await readJob().catch(noneWhenDeleted)) ?? asCancelled(last);
    if (job === null) return;
    last = job;
    const data = JSON.stringify(toJob(job));
    if (job.endedAt !== null) {
      yield `event: end\ndata: ${data}\n\n`;
      return;
    }
    if (data !== told) {
      yield `event: progress\ndata: ${data}\n\n`;
      [told, toldMs] = [data, performance.now()];
    } else if (performance.now() - toldMs > heartbeatMs) {
      yield ': still at it\n\n';
      toldMs = performance.now();
    }
    await sleep(lookMs, undefined, { signal }).catch(() => undefined);
  }
}

function asCancelled(job: Job | null): Job | null {
  return job && { ...job, state: 'cancelled', endedAt: Date.now() };
}

function noneWhenDeleted(error: unknown): null {
  if (error instanceof ServiceError && error.code === 'not_found') return null;
  throw error;
}
