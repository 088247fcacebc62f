import { availableParallelism } from 'node:os';
import { EngineError } from '../errors.js';
import { chainsOf } from '../tasks/chains.js';
import type { Run } from './fair-queue.js';
import { FramePauses } from './frame-pauses.js';
import type { InferenceProcess } from './inference-process.js';
import type { RunOptions } from './job.js';
import { JobQueue } from './job-queue.js';
import { type Job, type JobResult, modelKey } from './messages.js';
import { modelsOf } from './models-of.js';
import type { PixelFiles } from './pixel-files.js';
import type { Priority } from './priority.js';
import { RecentOwners } from './recent-owners.js';
import { SharedJob } from './shared-job.js';

interface DispatcherOptions {
  readonly queueMax: number;
  /** Processes of one owner at once; undefined: no limit. */
  readonly maxRunningPerOwner: number | undefined;
  /** Processes of one owner at once while another has asked of late; undefined: as otherwise. */
  readonly maxRunningBesideOthers: number | undefined;
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

/** While another owner has asked within this time, an owner has at most `maxRunningBesideOthers` processes. */
const sharesForMs = 60_000;

/**
 * Assigns jobs to processes: queued jobs come first, and a process without a queued job helps with one
 * that runs in another process. What a process does counts for the owner of its job, as long as it is busy.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #queue: JobQueue<Waiting>;
  readonly #shared = new Map<SharedJob, RunOptions>();
  /** Jobs that did not fit into what earlier ones had left of a process: each gets a fresh process alone, once. */
  #outgrown: Waiting[] = [];
  /** Why no job gets a second attempt any more. */
  #refusal: EngineError | undefined;
  readonly #owners = new RecentOwners(sharesForMs);
  readonly #pauses = new FramePauses({ cores: availableParallelism() });

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#queue = new JobQueue({
      maxEntries: options.queueMax,
      maxRunningOf: (owner) => this.#maxRunningOf(owner),
    });
  }

  depths(): Readonly<Record<Priority, number>> {
    return this.#queue.depths();
  }

  /** Throws EngineError 'busy' when the queue is full. */
  submit(job: Job, { priority, owner = nobody, signal }: RunOptions): Promise<Finished> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) throw new EngineError('aborted', 'the caller gave up');
      const abort = () => {
        const isOutgrown = this.#outgrown.includes(waiting);
        this.#outgrown = this.#outgrown.filter((other) => other !== waiting);
        if (!isOutgrown && !this.#queue.remove(waiting)) return;
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
      if (owner !== nobody) this.#owners.asked(owner);
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
      const idle = this.#idle();
      const fresh = idle.find(({ jobsDone }) => jobsDone === 0);
      const outgrown = fresh && this.#outgrown.shift();
      if (outgrown) {
        const run = fresh.run(outgrown.job, this.#options.jobTimeoutMs, outgrown.signal);
        this.#start(outgrown, fresh, run, this.#queue.join(outgrown.priority, outgrown.owner));
        continue;
      }
      const [first, ...others] = idle;
      if (!first) {
        this.#askForMore();
        return;
      }
      const taken = this.#queue.take();
      if (taken) {
        const process = best(first, others, taken.entry.models);
        this.#start(taken.entry, process, this.#run(taken.entry, process), taken);
        continue;
      }
      const shared = [...this.#shared].find(
        ([job, { owner = nobody }]) => job.wantsHelp && this.#queue.mayRun(owner),
      );
      if (!shared) return;
      const [job, { priority, owner = nobody }] = shared;
      job.help(first);
      this.#countUntilFree(first, this.#queue.join(priority, owner));
    }
  }

  #maxRunningOf(owner: string): number {
    const { maxRunningPerOwner = Number.POSITIVE_INFINITY, maxRunningBesideOthers } = this.#options;
    if (maxRunningBesideOthers === undefined || !this.#owners.hasOtherThan(owner)) return maxRunningPerOwner;
    return Math.min(maxRunningPerOwner, maxRunningBesideOthers);
  }

  /** An aborted caller is released before its process is free; until then the process counts for the owner. */
  #countUntilFree(process: InferenceProcess, run: Run): void {
    process.onceFree(() => {
      run.end(Math.max(process.lastJobCpuMs / 1000, leastSeconds));
      queueMicrotask(() => this.dispatch());
    });
  }

  /** Fails all queued jobs, and those that would be queued again. */
  refuseAll(error: EngineError): void {
    this.#refusal = error;
    for (const waiting of [...this.#queue.takeAll(), ...this.#outgrown]) waiting.reject(error);
    this.#outgrown = [];
  }

  #askForMore(): void {
    const { onWanting } = this.#options;
    if (!onWanting || this.#queue.length === 0) return;
    const wanting = this.#queue.takeable;
    if (wanting > 0) onWanting(wanting);
  }

  #start(waiting: Waiting, process: InferenceProcess, result: Promise<JobResult>, run: Run): void {
    const queueMs = performance.now() - waiting.since;
    result.then(
      (value) => waiting.resolve({ result: value, queueMs }),
      (error: unknown) => {
        const isOutgrown = error instanceof EngineError && error.hadLessMemory;
        // Its caller may have left while a shared job cleared up, when it was in no queue.
        const isLeft = waiting.signal?.aborted === true;
        // Where processes start on demand nothing replaces the one that was killed.
        if (!isOutgrown || isLeft || this.#options.onWanting) waiting.reject(error);
        else if (this.#refusal) waiting.reject(this.#refusal);
        else {
          this.#outgrown.push(waiting);
          this.dispatch();
        }
      },
    );
    const ended = this.#pauses.began(process, waiting.priority);
    process.onceFree(ended);
    this.#countUntilFree(process, run);
  }

  #run({ job, owner, priority, signal }: Waiting, process: InferenceProcess): Promise<JobResult> {
    const { jobTimeoutMs: timeoutMs, pixelFiles } = this.#options;
    const mayHelp = (helper: InferenceProcess) =>
      helper !== process && this.#queue.mayRun(owner) && this.#queue.takeable === 0;
    const hasHelp = this.#idle().some(mayHelp);
    if (job.kind !== 'analyse' || !pixelFiles || !hasHelp || chainsOf(job.tasks).length < 2) {
      return process.run(job, timeoutMs, signal);
    }
    const shared = new SharedJob({
      job,
      signal,
      timeoutMs,
      pixelFiles,
      hasIdleHelp: () => this.#idle().some(mayHelp),
      onShared: () => this.dispatch(),
    });
    this.#shared.set(shared, { owner, priority });
    return shared.run(process).finally(() => this.#shared.delete(shared));
  }

  #idle(): InferenceProcess[] {
    return this.#options.processes().filter((process) => process.isIdle);
  }
}

/** What a job costs its owner at least: a process is held also by one that waits for its files. */
const leastSeconds = 0.005;

/** Owner of jobs that are nobody's. */
const nobody = '';

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
