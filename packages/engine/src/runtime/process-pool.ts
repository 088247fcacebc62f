import { findDeathGuard } from '../child-process/death-guard.js';
import { EngineError } from '../errors.js';
import type { RunnerEvent } from './events.js';
import { InferenceProcess, type InferenceProcessOptions } from './inference-process.js';

interface PoolOptions extends Omit<InferenceProcessOptions, 'guard'> {
  readonly processes: number;
  /** Resident bytes at which a process is replaced once it has done `recycleMinJobs`; far above it, after any job. */
  readonly maxRssBytes: number;
  /** Jobs a process does before it is replaced for its size: too low a limit must not replace without end. */
  readonly recycleMinJobs: number;
  /** Processes are started on demand, and stop after being idle for so long; undefined: all are kept. */
  readonly idleEndMs: number | undefined;
  /** Time a process gets from its fork until it is ready, warm models included. */
  readonly startTimeoutMs: number;
  readonly onEvent: (event: RunnerEvent) => void;
  /** A process became free or ready. */
  readonly onFree: () => void;
}

const maxBackOffMs = 5_000;
/** Losses in a row, before any process was ever ready, after which starting is given up. */
const maxFailedStarts = 3;
/** Above this multiple of the limit a process is replaced after any job. */
const farAbove = 1.5;
/** Time an idle process gets to exit by itself. */
const leaveTimeoutMs = 2_000;

/**
 * Keeps the wanted number of processes alive: replaces crashed ones, with back-off, and grown ones, without a gap. Where
 * they are started on demand, as many are wanted as there are jobs for, and crashed or grown ones are replaced with the
 * next job.
 */
export class ProcessPool {
  readonly #options: PoolOptions;
  readonly #members = new Set<InferenceProcess>();
  readonly #departing = new Set<InferenceProcess>();
  /** One at a time, so that memory peaks at one process more than wanted. */
  #recycling: { readonly old: InferenceProcess; readonly fresh: InferenceProcess } | undefined;
  #guard: readonly string[] = [];
  #lossesInARow = 0;
  #restartTimer: NodeJS.Timeout | undefined;
  #closing = false;
  #started: { resolve(): void; reject(error: Error): void } | undefined;
  /** Timers that stop idle processes; restarted with each job. */
  readonly #idleTimers = new WeakMap<InferenceProcess, NodeJS.Timeout>();
  /** When the next process may be started after a crash. */
  #mayStartAt = 0;
  readonly counts = { crashed: 0, recycled: 0, timeouts: 0, outgrown: 0 };

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  get members(): readonly InferenceProcess[] {
    return [...this.#members];
  }

  get #isOnDemand(): boolean {
    return this.#options.idleEndMs !== undefined;
  }

  /** Resolves as soon as one process is ready, the others follow; at once where they are started on demand. */
  async start(): Promise<void> {
    this.#guard = await findDeathGuard();
    if (this.#isOnDemand) return;
    if (this.#closing) throw shuttingDown();
    await new Promise<void>((resolve, reject) => {
      this.#started = { resolve, reject };
      this.#fill();
    });
  }

  /** Starts processes for this number of waiting jobs, where they are started on demand. */
  want(jobs: number): void {
    if (!this.#isOnDemand || this.#closing) return;
    const waitMs = this.#mayStartAt - performance.now();
    if (waitMs > 0) {
      clearTimeout(this.#restartTimer);
      this.#restartTimer = setTimeout(this.#options.onFree, waitMs);
      return;
    }
    const starting = this.members.filter(({ isReady }) => !isReady).length;
    const freeSlots = this.#options.processes - this.#members.size;
    for (let missing = Math.min(jobs - starting, freeSlots); missing > 0; missing -= 1) this.#spawn();
  }

  /** Stops every process: idle ones exit, busy ones are killed. */
  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#restartTimer);
    this.#started?.reject(shuttingDown());
    const all = [...this.#members, ...this.#departing];
    await Promise.all(
      all.map(async (process) => {
        if (process.isBusy) process.kill();
        const timer = setTimeout(() => process.kill(), leaveTimeoutMs);
        await process.leave();
        clearTimeout(timer);
      }),
    );
  }

  #fill(): void {
    if (this.#isOnDemand) {
      this.#options.onFree();
      return;
    }
    const wanted = this.#options.processes + (this.#recycling ? 1 : 0);
    while (!this.#closing && this.#members.size < wanted) this.#spawn();
  }

  #spawn(): InferenceProcess {
    const { jobMaxRssBytes, onEvent, onFree, startTimeoutMs } = this.#options;
    const child = new InferenceProcess(
      { ...this.#options, guard: this.#guard },
      {
        ready: () => {
          clearTimeout(startTimer);
          onEvent({
            type: 'started',
            pid: child.pid ?? 0,
            startMs: Math.round(performance.now() - child.startedAt),
            ...(child.state.int8 && { int8: child.state.int8 }),
          });
          this.#started?.resolve();
          this.#started = undefined;
          if (child === this.#recycling?.fresh) this.#retire(this.#recycling.old);
          this.#endWhenIdle(child);
          onFree();
        },
        idle: () => {
          this.#lossesInARow = 0;
          this.#recycleIfGrown(child);
          this.#endWhenIdle(child);
          onFree();
        },
        gone: (cause, duringJob) => {
          clearTimeout(startTimer);
          this.#replace(child, cause, duringJob);
        },
        note: (type, detail) => onEvent({ type, pid: child.pid ?? 0, detail }),
        timedOut: (timeoutMs) => {
          this.counts.timeouts += 1;
          onEvent({ type: 'timeout', pid: child.pid ?? 0, timeoutMs });
        },
        outgrown: (rssBytes) => {
          this.counts.outgrown += 1;
          onEvent({ type: 'outgrown', pid: child.pid ?? 0, rssBytes, maxRssBytes: jobMaxRssBytes ?? 0 });
        },
        overworked: (cpuMs, decodeMaxCpuMs) => {
          this.counts.timeouts += 1;
          onEvent({ type: 'overworked', pid: child.pid ?? 0, cpuMs, decodeMaxCpuMs });
        },
      },
    );
    const startTimer = setTimeout(() => child.kill(), startTimeoutMs);
    this.#members.add(child);
    return child;
  }

  #recycleIfGrown(child: InferenceProcess): void {
    const { maxRssBytes, recycleMinJobs } = this.#options;
    if (this.#closing || this.#recycling || !this.#members.has(child)) return;
    const { rssBytes } = child;
    if (rssBytes <= (child.jobsDone < recycleMinJobs ? farAbove * maxRssBytes : maxRssBytes)) return;
    if (this.#isOnDemand) this.#retire(child);
    else this.#recycling = { old: child, fresh: this.#spawn() };
  }

  #retire(old: InferenceProcess): void {
    const { rssBytes } = old;
    this.#recycling = undefined;
    this.counts.recycled += 1;
    this.#options.onEvent({ type: 'recycled', pid: old.pid ?? 0, rssBytes });
    this.#letGo(old);
    // Another process may have grown meanwhile and had no job since.
    for (const other of this.#members) if (other.isIdle) this.#recycleIfGrown(other);
  }

  #endWhenIdle(child: InferenceProcess): void {
    const { idleEndMs, onEvent } = this.#options;
    if (idleEndMs === undefined) return;
    clearTimeout(this.#idleTimers.get(child));
    const timer = setTimeout(() => {
      // A busy process gets a new timer when it is done.
      if (!child.isIdle) return;
      onEvent({ type: 'idle-ended', pid: child.pid ?? 0 });
      this.#letGo(child);
    }, idleEndMs);
    this.#idleTimers.set(child, timer.unref());
  }

  #letGo(child: InferenceProcess): void {
    this.#members.delete(child);
    this.#departing.add(child);
    void child.leave();
  }

  #replace(child: InferenceProcess, cause: string, duringJob: boolean): void {
    if (this.#departing.delete(child) || this.#closing) return;
    this.#members.delete(child);
    if (child === this.#recycling?.old || child === this.#recycling?.fresh) this.#recycling = undefined;
    if (child.wasEnded) {
      // Killed because of its job: that says nothing of the next one, which need not wait.
      this.#fill();
      return;
    }
    this.counts.crashed += 1;
    this.#lossesInARow += 1;
    const { pid } = child;
    const delayMs =
      this.#lossesInARow === 1 ? 0 : Math.min(100 * 2 ** (this.#lossesInARow - 2), maxBackOffMs);
    const lossesInARow = this.#lossesInARow;
    clearTimeout(this.#restartTimer);
    this.#options.onEvent({ type: 'process-crashed', pid, cause, duringJob, lossesInARow, delayMs });
    if (this.#started && lossesInARow >= maxFailedStarts) {
      this.#started.reject(new EngineError('internal', `no inference process starts: ${cause}`));
      this.#started = undefined;
      return;
    }
    this.#mayStartAt = performance.now() + delayMs;
    // One timer for all missing processes, which then start together.
    if (delayMs === 0) this.#fill();
    else this.#restartTimer = setTimeout(() => this.#fill(), delayMs);
  }
}

const shuttingDown = () => new EngineError('busy', 'the engine is shutting down');
