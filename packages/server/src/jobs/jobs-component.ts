import { LRUCache } from 'lru-cache';
import type { Component } from '../core/lifecycle.js';
import {
  firstPayloadVersion,
  type Job,
  JobFailure,
  type JobKind,
  type JobProgress,
  type JobRole,
} from './job.js';
import type { JobEnd, JobLease, Leases, TakenJob } from './leases.js';
import {
  awayBackOff,
  awayMessage,
  backOffMs,
  diskFullMessage,
  isDiskFullHere,
  isStoreAway,
  waitsForRoomMessage,
} from './retries.js';

export interface JobsComponent extends Component {
  /** Looks for work now, and not at the next look; after a job was inserted or cancelled. */
  wake(): void;
}

export interface JobsComponentDeps {
  readonly leases: Leases;
  readonly kinds: readonly JobKind[];
  /** Whether no other service may work on this database. */
  readonly isAlone: boolean;
  /** Whether another service that is alive does work of this role; none unless given. */
  readonly hasOther?: ((role: JobRole) => Promise<boolean>) | undefined;
  readonly clock: () => number;
  /** Jobs of a kind that one account may have under way here; half of the slots of the kind unless given. */
  readonly maxPerAccount?: number | undefined;
  /** Called for failures that are retried, and for final ones. */
  readonly onFailure: (job: Job | null, error: unknown) => void;
  /** Between looks for work, and between writings of progress. */
  readonly intervalMs?: number;
  /** Between renewals of a lease whose job does not get on. */
  readonly renewMs?: number;
  /** For so long no job of a kind is begun here after one found no room on the disk. */
  readonly fullDiskRestMs?: number;
}

interface RunningJob {
  readonly job: Job;
  readonly lease: JobLease;
  readonly attempts: number;
  readonly payloadVersion: number;
  readonly isOfFolder: boolean;
  readonly stopping: AbortController;
  progress: JobProgress;
  written: JobProgress;
  /** By the monotonic clock, before it was asked for. */
  renewedMs: number;
  /** Whether something was kept since progress was written. */
  hasKept: boolean;
  /** Whether something was kept in this attempt. */
  hasEverKept: boolean;
  ended: Promise<void>;
}

/** Jobs of which it is remembered how they went last. */
const maxRemembered = 10_000;

const stopped = Symbol('the service stops');
const cancelled = Symbol('cancelled by its owner');
const halted = Symbol('its account was closed');
const taken = Symbol('taken by another service, or about to be');

/** Does what is due, as many jobs at once as their kinds allow; a stopping service leaves them for the next start. */
export function createJobsComponent(deps: JobsComponentDeps): JobsComponent {
  const { leases, kinds, isAlone, hasOther, clock, onFailure } = deps;
  const { intervalMs = 1000, renewMs = 10_000, fullDiskRestMs = 60_000 } = deps;
  const running = new Map<string, RunningJob>();
  /** How often in a row a job met an object store that was away. */
  const timesAway = new LRUCache<string, number>({ max: maxRemembered });
  /** Kinds of which no job is begun, each until a time of the monotonic clock. */
  const restingUntilMs = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let isStopping = false;
  let isAskedAgain = false;

  const begin = (kind: JobKind, { job, ...taken }: TakenJob, renewedMs: number) => {
    const entry: RunningJob = {
      ...taken,
      job,
      progress: job.progress,
      written: job.progress,
      stopping: new AbortController(),
      renewedMs,
      hasKept: false,
      hasEverKept: false,
      ended: Promise.resolve(),
    };
    running.set(job.id, entry);
    entry.ended = runToEnd(kind, entry)
      // Its lease ends by itself, and it is begun again.
      .catch((error: unknown) => onFailure(job, error))
      .finally(() => {
        running.delete(job.id);
        wake();
      });
  };

  const runToEnd = async (kind: JobKind, entry: RunningJob): Promise<void> => {
    const { job, lease, attempts, stopping } = entry;
    const control = {
      signal: stopping.signal,
      fence: leases.fence(lease),
      progress(reported: JobProgress, isKept = false) {
        entry.progress = reported;
        entry.hasKept ||= isKept;
        entry.hasEverKept ||= isKept;
      },
    };
    let end: JobEnd | null;
    try {
      // Whoever had it before did not live to say so.
      if (attempts > kind.maxAttempts)
        throw new JobFailure(`the service ended in ${attempts - 1} attempts at it`);
      const payload = upgraded(kind, job.payload, entry.payloadVersion);
      const result = await kind.run({ ...job, payload }, control);
      end = kind.isForgotten ? { state: 'forgotten' } : { state: 'done', result };
    } catch (error) {
      // What it wrote may have been refused for that, before anybody noticed.
      if (!stopping.signal.aborted && !(await leases.isHeld(lease).catch(() => true))) stopping.abort(taken);
      end = endOf(kind, entry, error, await isForOthers(kind, entry, error));
    }
    if (end === null) return;
    if (entry.progress !== entry.written) await leases.renew(lease, entry.progress, entry.hasKept);
    await leases.end(lease, end);
  };

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

  const renewAll = async () => {
    const ids = [...running.keys()];
    for (const id of await leases.cancelled(ids)) running.get(id)?.stopping.abort(cancelled);
    for (const id of await leases.halted(ids)) running.get(id)?.stopping.abort(halted);
    for (const entry of running.values()) {
      const { progress, written, stopping, lease } = entry;
      const nowMs = performance.now();
      // What was given up is left to others.
      if (stopping.signal.reason === taken) continue;
      if (progress === written && nowMs - entry.renewedMs < renewMs) continue;
      const { hasKept } = entry;
      entry.hasKept = false;
      const isMine = await leases.renew(lease, progress, hasKept);
      if (!isMine) stopping.abort(taken);
      entry.written = progress;
      entry.renewedMs = nowMs;
    }
  };

  /** Another may take what could not be renewed in time. Also while the database does not answer. */
  const giveUpLost = () => {
    if (isAlone) return;
    const nowMs = performance.now();
    for (const { stopping, renewedMs } of running.values()) {
      if (nowMs - renewedMs > leases.leaseMs - 2 * intervalMs) stopping.abort(taken);
    }
  };

  const look = async () => {
    await renewAll();
    for (const kind of kinds) {
      while (!isStopping && !isResting(kind) && countRunning(kind) < kind.concurrency) {
        const askedMs = performance.now();
        const due = await leases.take(kind.kind, {
          payloadVersion: kind.payload?.version ?? firstPayloadVersion,
          without: accountsAtLimit(kind),
        });
        if (due === null) break;
        begin(kind, due, askedMs);
      }
    }
  };

  /** Of several slots no account has all, so that a slow destination leaves some to the others. */
  const accountsAtLimit = ({ kind, concurrency }: JobKind): ReadonlySet<number> => {
    const limit = deps.maxPerAccount ?? Math.max(1, Math.floor(concurrency / 2));
    const counts = new Map<number, number>();
    for (const { job } of running.values()) {
      if (job.kind === kind) counts.set(job.accountId, (counts.get(job.accountId) ?? 0) + 1);
    }
    return new Set([...counts].flatMap(([accountId, count]) => (count >= limit ? [accountId] : [])));
  };

  const isResting = ({ kind }: JobKind) => (restingUntilMs.get(kind) ?? 0) > performance.now();

  const countRunning = ({ kind }: JobKind) =>
    [...running.values()].filter(({ job }) => job.kind === kind).length;

  const wake = () => {
    if (isStopping) return;
    if (looking) {
      isAskedAgain = true;
      return;
    }
    looking = look()
      .catch((error: unknown) => onFailure(null, error))
      .finally(() => {
        looking = undefined;
        if (isAskedAgain) {
          isAskedAgain = false;
          wake();
        }
      });
  };

  return {
    name: 'jobs',
    wake,
    async start() {
      if (isAlone) await leases.endAll();
      else await leases.endFormer();
      timer = setInterval(() => {
        giveUpLost();
        wake();
      }, intervalMs).unref();
      wake();
    },
    isReady: () => true,
    async drain() {
      isStopping = true;
      clearInterval(timer);
      await looking;
      for (const { stopping } of running.values()) stopping.abort(stopped);
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
    async stop() {
      isStopping = true;
      clearInterval(timer);
    },
  };
}

/** The payload in the version that the kind works with. */
function upgraded({ payload: shape }: JobKind, payload: unknown, from: number): unknown {
  return shape === undefined || from === shape.version ? payload : shape.upgrade(payload, from);
}
