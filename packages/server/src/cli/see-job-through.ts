import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, JobKind } from '../service/jobs/job.js';
import type { Jobs } from '../service/jobs/jobs.js';
import { createJobsComponent, type JobsComponent } from '../service/jobs/jobs-component.js';
import { createLeases } from '../service/jobs/leases.js';
import type { Database } from '../storage/database.js';
import { createLeaseOwner } from '../storage/leases/lease-owner.js';

interface JobWatch {
  readonly database: Database;
  readonly jobs: Pick<Jobs, 'read' | 'cancel'>;
  readonly kind: JobKind;
  /** Told of failures that are tried again. */
  readonly onFailure: (error: unknown) => void;
  readonly onProgress: (job: Job) => void;
  readonly signal: AbortSignal;
}

const lookEveryMs = 250;
const leaseMs = 30_000;
/** A service looks for work once a second: a job that has waited so long is taken by none. */
const patienceMs = 3000;

/**
 * Waits for the end of a job, and does it here where no service does. When the signal fires, a job that is done here or was not
 * begun is cancelled, and one of a service goes on; the job is answered as it is then.
 */
export async function seeJobThrough(watch: JobWatch, accountId: number, id: string): Promise<Job> {
  const { jobs, signal, onProgress } = watch;
  const beganMs = performance.now();
  let here: JobsComponent | undefined;
  try {
    for (;;) {
      const job = await jobs.read(accountId, id);
      if (job.endedAt !== null) return job;
      onProgress(job);
      if (signal.aborted) {
        // Nobody has begun it, and nobody shall later.
        const isNobodys = !here && job.state === 'waiting' && !(await isAnotherAtWork(watch, id));
        return isNobodys ? await jobs.cancel(accountId, id) : job;
      }
      const isLeft = job.state === 'waiting' && performance.now() - beganMs > patienceMs;
      if (!here && isLeft && !(await isAnotherAtWork(watch, id))) here = await beginHere(watch, id);
      await sleep(lookEveryMs, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    if (here) {
      await here.drain?.(AbortSignal.timeout(leaseMs));
      await here.stop();
      // It waits now, for a service that would begin it unasked.
      if (signal.aborted) await jobs.cancel(accountId, id);
    }
  }
}

/** Whether a service does others of the kind first. */
async function isAnotherAtWork(
  { database: { query, clock }, kind: { kind } }: JobWatch,
  id: string,
): Promise<boolean> {
  const other = await query
    .selectFrom('job')
    .select('id')
    .where('kind', '=', kind)
    .where('id', '<>', id)
    .where('ended_at', 'is', null)
    .where('leased_until', '>', clock())
    .executeTakeFirst();
  return other !== undefined;
}

async function beginHere({ database, kind, onFailure }: JobWatch, id: string): Promise<JobsComponent> {
  const leases = createLeases({ database, clock: database.clock, owner: createLeaseOwner(''), leaseMs });
  const component = createJobsComponent({
    // This job and no other: those of others are not this command's to do.
    leases: { ...leases, take: (of) => leases.take(of, { id }) },
    kinds: [kind],
    isAlone: false,
    clock: database.clock,
    onFailure: (_job, error) => onFailure(error),
    intervalMs: lookEveryMs,
  });
  await component.start();
  return component;
}
