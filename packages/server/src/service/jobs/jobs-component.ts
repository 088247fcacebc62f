import type { Component } from '../../core/lifecycle.js';
import { firstPayloadVersion, JobFailure, type JobKind, type JobProgress } from './job.js';
import { createJobEnds, type JobEndsDeps } from './job-ends.js';
import type { JobEnd, Leases, TakenJob } from './leases.js';
import { cancelled, halted, type RunningJob, stopped, taken } from './running-job.js';

export interface JobsComponent extends Component {
  /** Looks for work now, and not at the next look; after a job was inserted or cancelled. */
  wake(): void;
}

export interface JobsComponentDeps extends JobEndsDeps {
  readonly leases: Leases;
  readonly kinds: readonly JobKind[];
  /** Jobs of a kind that one account may have under way here; half of the slots of the kind unless given. */
  readonly maxPerAccount?: number | undefined;
  /** Between looks for work, and between writings of progress. */
  readonly intervalMs?: number;
  /** Between renewals of a lease whose job does not get on. */
  readonly renewMs?: number;
}

/** Does what is due, as many jobs at once as their kinds allow; a stopping service leaves them for the next start. */
export function createJobsComponent(deps: JobsComponentDeps): JobsComponent {
  const { leases, kinds, isAlone, onFailure } = deps;
  const { intervalMs = 1000, renewMs = 10_000 } = deps;
  const running = new Map<string, RunningJob>();
  const ends = createJobEnds(deps);
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
      end = await ends.endOf(kind, entry, error);
    }
    if (end === null) return;
    if (entry.progress !== entry.written) await leases.renew(lease, entry.progress, entry.hasKept);
    await leases.end(lease, end);
  };

  const renewAll = async () => {
    const ids = [...running.keys()];
    for (const { id, why } of await leases.toEnd(ids)) {
      running.get(id)?.stopping.abort(why === 'cancelled' ? cancelled : halted);
    }
    const renewals = await Promise.allSettled([...running.values()].map(renew));
    // One that failed holds up no other.
    const failed = renewals.find((renewal) => renewal.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  };

  const renew = async (entry: RunningJob): Promise<void> => {
    const { progress, written, stopping, lease, hasKept } = entry;
    const nowMs = performance.now();
    // What was given up is left to others.
    if (stopping.signal.reason === taken) return;
    if (progress === written && nowMs - entry.renewedMs < renewMs) return;
    entry.hasKept = false;
    const isMine = await leases.renew(lease, progress, hasKept).catch((error: unknown) => {
      entry.hasKept ||= hasKept;
      throw error;
    });
    if (!isMine) stopping.abort(taken);
    entry.written = progress;
    entry.renewedMs = nowMs;
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
      while (!isStopping && !ends.isResting(kind) && countRunning(kind) < kind.concurrency) {
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
  const accountsAtLimit = ({
    kind,
    concurrency,
    maxPerAccount = concurrency,
  }: JobKind): ReadonlySet<number> => {
    const limit = Math.min(maxPerAccount, deps.maxPerAccount ?? Math.max(1, Math.floor(concurrency / 2)));
    const counts = new Map<number, number>();
    for (const { job } of running.values()) {
      if (job.kind === kind) counts.set(job.accountId, (counts.get(job.accountId) ?? 0) + 1);
    }
    return new Set([...counts].flatMap(([accountId, count]) => (count >= limit ? [accountId] : [])));
  };

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
