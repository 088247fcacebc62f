import { LRUCache } from 'lru-cache';
import { type Job, JobFailure, type JobKind, type JobRole } from './job.js';
import type { JobEnd } from './leases.js';
import {
  awayBackOff,
  awayMessage,
  backOffMs,
  diskFullMessage,
  isDiskFullHere,
  isStoreAway,
  waitsForRoomMessage,
} from './retries.js';
import { cancelled, halted, type RunningJob, stopped, taken } from './running-job.js';

export interface JobEndsDeps {
  /** Whether no other service may work on this database. */
  readonly isAlone: boolean;
  /** Whether another service that is alive does work of this role; none unless given. */
  readonly hasOther?: ((role: JobRole) => Promise<boolean>) | undefined;
  readonly clock: () => number;
  /** Called for failures that are retried, and for final ones. */
  readonly onFailure: (job: Job | null, error: unknown) => void;
  /** For so long no job of a kind is begun here after one found no room on the disk. */
  readonly fullDiskRestMs?: number;
}

/** Jobs of which it is remembered how they went last. */
const maxRemembered = 10_000;

/** What becomes of jobs that were not done. */
export function createJobEnds(deps: JobEndsDeps) {
  const { isAlone, hasOther, clock, onFailure, fullDiskRestMs = 60_000 } = deps;
  /** How often in a row a job met an object store that was away. */
  const timesAway = new LRUCache<string, number>({ max: maxRemembered });
  /** Kinds of which no job is begun, each until a time of the monotonic clock. */
  const restingUntilMs = new Map<string, number>();

  /** Whether the job found no room on the disk here, and another service may have it. */
  const isForOthers = async ({ role = 'jobs' }: JobKind, entry: RunningJob, error: unknown) =>
    !isAlone &&
    !entry.isOfFolder &&
    hasOther !== undefined &&
    isDiskFullHere(error) &&
    // Where that cannot be asked, nothing is given up for it.
    (await hasOther(role).catch(() => true));

  /** Null: the job is another's now. */
  const endOf = (
    kind: JobKind,
    entry: RunningJob,
    error: unknown,
    isLeftToOthers: boolean,
  ): JobEnd | null => {
    const { stopping, job, hasEverKept } = entry;
    const { reason } = stopping.signal;
    if (reason === taken) return null;
    if (reason === cancelled) return { state: 'cancelled' };
    const attempts = hasEverKept ? 0 : entry.attempts;
    if (reason === stopped || reason === halted) {
      return { state: 'waiting', dueAt: clock(), error: null, attempts: Math.max(0, attempts - 1) };
    }
    onFailure(job, error);
    // It says nothing of the job, and may last for hours: the job has all its attempts when the store is back.
    if (isStoreAway(error)) {
      const times = (timesAway.get(job.id) ?? 0) + 1;
      timesAway.set(job.id, times);
      return {
        state: 'waiting',
        dueAt: clock() + backOffMs(times, awayBackOff),
        error: awayMessage,
        attempts: Math.max(0, attempts - 1),
      };
    }
    timesAway.delete(job.id);
    // It says nothing of the job either.
    if (isLeftToOthers || (kind.waitsForRoom === true && isDiskFullHere(error))) {
      restingUntilMs.set(kind.kind, performance.now() + fullDiskRestMs);
      return {
        state: 'waiting',
        dueAt: clock(),
        error: isLeftToOthers ? diskFullMessage : waitsForRoomMessage,
        attempts: Math.max(0, attempts - 1),
      };
    }
    const text = error instanceof Error ? error.message : String(error);
    if (error instanceof JobFailure || attempts >= kind.maxAttempts) return { state: 'failed', error: text };
    return { state: 'waiting', dueAt: clock() + backOffMs(attempts), error: text, attempts };
  };

  return {
    /** Null: the job is another's now. */
    endOf: async (kind: JobKind, entry: RunningJob, error: unknown): Promise<JobEnd | null> =>
      endOf(kind, entry, error, await isForOthers(kind, entry, error)),
    /** Whether no job of the kind is begun here at present. */
    isResting: ({ kind }: JobKind): boolean => (restingUntilMs.get(kind) ?? 0) > performance.now(),
  };
}
