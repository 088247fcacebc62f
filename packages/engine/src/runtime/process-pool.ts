import { EngineError } from '../errors.js';
import type { RunnerEvent } from './events.js';
import { InferenceProcess } from './inference-process.js';
import type { Command } from './messages.js';

export interface PoolOptions {
  readonly processes: number;
  readonly entry: URL;
  readonly settings: Command & { type: 'settings' };
  /** Resident bytes at which a process is replaced. */
  readonly maxRssBytes: number;
  /** Jobs a process does before it may be replaced for its size: too low a limit must not replace without end. */
  readonly recycleMinJobs: number;
  /** Time a process gets from its fork until it is ready, warm models included. */
  readonly startTimeoutMs: number;
  readonly onEvent: (event: RunnerEvent) => void;
  /** A process became free, or another one is there. */
  readonly onFree: () => void;
}

const maxBackOffMs = 5_000;
/** Losses in a row, before any process was ever ready, after which starting is given up. */
const maxFailedStarts = 3;
/** Time an idle process gets to leave by itself. */
const leaveTimeoutMs = 2_000;

/** Keeps the wanted number of processes alive: replaces the lost, with back-off, and the grown, without a gap. */
export class ProcessPool {
  readonly #options: PoolOptions;
  readonly #members = new Set<InferenceProcess>();
  readonly #departing = new Set<InferenceProcess>();
  /** One at a time, so that memory peaks at one process more than wanted. */
  #recycling: { readonly old: InferenceProcess; readonly fresh: InferenceProcess } | undefined;
  #lossesInARow = 0;
  #restartTimer: NodeJS.Timeout | undefined;
  #closing = false;
  #started: { resolve(): void; reject(error: Error): void } | undefined;
  readonly counts = { lost: 0, recycled: 0, timeouts: 0 };

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  get members(): readonly InferenceProcess[] {
    return [...this.#members];
  }

  /** Resolves as soon as one process is ready; the others follow. */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#started = { resolve, reject };
      this.#fill();
    });
  }

  /** Ends every process: the idle ones are let go, the busy ones killed. */
  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#restartTimer);
    this.#started?.reject(new EngineError('busy', 'the engine is shutting down'));
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
    const wanted = this.#options.processes + (this.#recycling ? 1 : 0);
    while (!this.#closing && this.#members.size < wanted) this.#spawn();
  }

  #spawn(): InferenceProcess {
    const { entry, settings, onEvent, onFree, startTimeoutMs } = this.#options;
    const child = new InferenceProcess(entry, settings, {
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
        onFree();
      },
      idle: () => {
        this.#lossesInARow = 0;
        this.#recycleIfGrown(child);
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
    });
    const startTimer = setTimeout(() => child.kill(), startTimeoutMs);
    this.#members.add(child);
    return child;
  }

  #recycleIfGrown(child: InferenceProcess): void {
    const { maxRssBytes, recycleMinJobs } = this.#options;
    if (child.state.rssBytes <= maxRssBytes || child.jobsDone < recycleMinJobs) return;
    if (this.#closing || this.#recycling || !this.#members.has(child)) return;
    this.#recycling = { old: child, fresh: this.#spawn() };
  }

  #retire(old: InferenceProcess): void {
    this.#recycling = undefined;
    this.#members.delete(old);
    this.#departing.add(old);
    this.counts.recycled += 1;
    this.#options.onEvent({ type: 'recycled', pid: old.pid ?? 0, rssBytes: old.state.rssBytes });
    void old.leave();
  }

  #replace(child: InferenceProcess, cause: string, duringJob: boolean): void {
    if (this.#departing.delete(child) || this.#closing) return;
    this.#members.delete(child);
    if (child === this.#recycling?.old || child === this.#recycling?.fresh) this.#recycling = undefined;
    this.counts.lost += 1;
    this.#lossesInARow += 1;
    const { pid } = child;
    const delayMs =
      this.#lossesInARow === 1 ? 0 : Math.min(100 * 2 ** (this.#lossesInARow - 2), maxBackOffMs);
    const lossesInARow = this.#lossesInARow;
    clearTimeout(this.#restartTimer);
    this.#options.onEvent({ type: 'process-lost', pid, cause, duringJob, lossesInARow, delayMs });
    if (this.#started && lossesInARow >= maxFailedStarts) {
      this.#started.reject(new EngineError('internal', `no inference process starts: ${cause}`));
      this.#started = undefined;
      return;
    }
    // One timer for all: whatever is missing when it fires is started together.
    if (delayMs === 0) this.#fill();
    else this.#restartTimer = setTimeout(() => this.#fill(), delayMs);
  }
}
