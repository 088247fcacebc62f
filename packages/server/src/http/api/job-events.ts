import { ServiceError } from '../../core/service-error.js';
import type { Job } from '../../service/jobs/job.js';
import type { JobWatcher } from '../../service/jobs/job-watch.js';
import { toJob } from './job.js';

/** Whatever is on the way closes a connection on which nothing comes. */
const heartbeatMs = 15_000;

/**
 * A job as server-sent events (WHATWG HTML, 9.2): `progress` now and with every change, `end` at its end, each with the job
 * as data; a comment when nothing changes for long. Ends after `end`, when the signal of the watcher fires and when the
 * credential is good no longer. A job that is deleted together with what it works on ends as cancelled.
 */
export async function* writeJobEvents(
  watcher: JobWatcher,
  isStillLetIn: () => Promise<boolean>,
): AsyncGenerator<string, void, undefined> {
  let lastData = '';
  let lastSentMs = performance.now();
  let last: Job | null = null;
  while (true) {
    const look: 'deleted' | Job | null = await watcher.next().catch(asDeleted);
    const job: Job | null = look === 'deleted' ? asCancelled(last) : look;
    if (job === null || !(await isStillLetIn())) return;
    last = job;
    const data = JSON.stringify(toJob(job));
    if (job.endedAt !== null) {
      yield `event: end\ndata: ${data}\n\n`;
      return;
    }
    if (data !== lastData) {
      yield `event: progress\ndata: ${data}\n\n`;
      [lastData, lastSentMs] = [data, performance.now()];
    } else if (performance.now() - lastSentMs > heartbeatMs) {
      yield ': still at it\n\n';
      lastSentMs = performance.now();
    }
  }
}

function asCancelled(job: Job | null): Job | null {
  return job && { ...job, state: 'cancelled', endedAt: Date.now() };
}

function asDeleted(error: unknown): 'deleted' {
  if (error instanceof ServiceError && error.code === 'not_found') return 'deleted';
  throw error;
}
