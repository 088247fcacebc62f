import { availableParallelism } from 'node:os';
import { EngineError } from '../errors.js';
import { chainsOf } from '../tasks/chains.js';
import { FramePauses } from './frame-pauses.js';
import type { InferenceProcess } from './inference-process.js';
import type { RunOptions } from './job.js';
import { JobQueue } from './job-queue.js';
import { type Job, type JobResult, modelKey } from './messages.js';
import { modelsOf } from './models-of.js';
import type { PixelFiles } from './pixel-files.js';
import type { Priority } from './priority.js';
import { SharedJob } from './shared-job.js';

export interface DispatcherOptions {
  readonly queueMax: number;
  /** Jobs of one owner at once; undefined: no limit. */
  readonly maxRunningPerOwner: number | undefined;
  readonly jobTimeoutMs: number;
  readonly processes: () => readonly InferenceProcess[];
  /** Without it every job stays in one process. */
  readonly pixelFiles: PixelFiles | undefined;
  /** Called with the number of jobs that could run if they had a process; set where processes start on demand. */
  readonly onWanting: ((jobs: number) => void) | undefined;
}

export interface Finished {
  readonly result: JobResult;
  readonly queueMs: number;
}

interface Waiting {
  readonly job: Job;
  readonly priority: Priority;
  readonly owner: string;
  /** Keys of the models that the job needs. */
  readonly models: readonly string[];
  readonly signal: AbortSignal | undefined;
  readonly since: number;
  resolve(finished: Finished): void;
  reject(error: unknown): void;
}

/**
 * Assigns jobs to processes: queued jobs come first, and a process without a queued job helps with one
 * that runs in another process.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #queue: JobQueue<Waiting>;
  readonly #shared = new Set<SharedJob>();
  readonly #pauses = new FramePauses({ cores: availableParallelism() });

  constructor(options: DispatcherOptions) {
    this.#options = options;
    const { queueMax: maxEntries, maxRunningPerOwner } = options;
    this.#queue = new JobQueue({ maxEntries, maxRunningPerOwner });
  }

  depths(): Readonly<Record<Priority, number>> {
    return this.#queue.depths();
  }

  /** Throws EngineError 'busy' when the queue is full. */
  submit(job: Job, { priority, owner = '', signal }: RunOptions): Promise<Finished> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) throw new EngineError('aborted', 'the caller gave up');
      const abort = () => {
        if (!this.#queue.remove(waiting)) return;
        waiting.reject(new EngineError('aborted', 'the caller gave up'));
        this.#balancePauses();
      };
      const waiting: Waiting = {
        job,
        priority,
        owner,
        models:
          job.kind === 'analyse' ? job.tasks.flatMap(({ options }) => modelsOf(options)).map(modelKey) : [],
        signal,
        since: performance.now(),
        resolve: (finished) => {
          signal?.removeEventListener('abort', abort);
          resolve(finished);
        },
        reject: (error) => {
          signal?.removeEventListener('abort', abort);
          reject(error);
        },
      };
      const { accepted, displaced } = this.#queue.add(waiting, priority, owner);
      const full = () =>
        new EngineError('busy', `${this.#options.queueMax} jobs wait already; try again in a moment`);
      displaced?.reject(full());
      if (!accepted) throw full();
      signal?.addEventListener('abort', abort, { once: true });
      this.dispatch();
    });
  }

  /** To be called whenever a process became free, or a starting process exited. */
  dispatch(): void {
    this.#assign();
    this.#balancePauses();
  }

  #balancePauses(): void {
    this.#pauses.await(this.#queue.depths().interactive > 0);
  }

  #assign(): void {
    for (;;) {
      const [first, ...others] = this.#idle();
      if (!first) {
        this.#askForMore();
        return;
      }
      const waiting = this.#queue.take();
      if (waiting) {
        this.#start(waiting, best(first, others, waiting.models));
        continue;
      }
      const shared = [...this.#shared].find((job) => job.wantsHelp);
      if (!shared) return;
      shared.help(first);
    }
  }

  /** Fails all queued jobs. */
  refuseAll(error: EngineError): void {
    for (const waiting of this.#queue.takeAll()) waiting.reject(error);
  }

  #askForMore(): void {
    const { onWanting } = this.#options;
    if (!onWanting || this.#queue.length === 0) return;
    const wanting = this.#queue.takeable;
    if (wanting > 0) onWanting(wanting);
  }

  #start({ job, priority, owner, signal, since, resolve, reject }: Waiting, process: InferenceProcess): void {
    const queueMs = performance.now() - since;
    this.#run(job, signal, process).then((result) => resolve({ result, queueMs }), reject);
    const ended = this.#pauses.began(process, priority);
    // An aborted caller is released before its process is free; until then the job counts for its owner.
    void process.freed.then(() => {
      ended();
      this.#queue.ended(owner);
      this.dispatch();
    });
  }

  #run(job: Job, signal: AbortSignal | undefined, process: InferenceProcess): Promise<JobResult> {
    const { jobTimeoutMs: timeoutMs, pixelFiles } = this.#options;
    const hasHelp = this.#queue.length === 0 && this.#idle().some((idle) => idle !== process);
    if (job.kind !== 'analyse' || !pixelFiles || !hasHelp || chainsOf(job.tasks).length < 2) {
      return process.run(job, timeoutMs, signal);
    }
    const shared = new SharedJob({
      job,
      signal,
      timeoutMs,
      pixelFiles,
      hasIdleHelp: () => this.#queue.length === 0 && this.#idle().length > 0,
      onShared: () => this.dispatch(),
    });
    this.#shared.add(shared);
    return shared.run(process).finally(() => this.#shared.delete(shared));
  }

  #idle(): InferenceProcess[] {
    return this.#options.processes().filter((process) => process.isIdle);
  }
}

/** The process that has most of the models loaded. */
function best(
  first: InferenceProcess,
  others: readonly InferenceProcess[],
  models: readonly string[],
): InferenceProcess {
  const held = (process: InferenceProcess) =>
    models.filter((key) => process.state.models.includes(key)).length;
  return others.reduce((chosen, process) => (held(process) > held(chosen) ? process : chosen), first);
}
