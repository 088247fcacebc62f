import { ChildHost, type ReachedLimit } from '../child-process/child-host.js';
import { EngineError, type EngineErrorCode } from '../errors.js';
import type { SharedPixels } from '../image/raw-pixels.js';
import type { Command, Job, JobResult, ProcessState, Report } from './messages.js';

interface ProcessHandlers {
  ready(): void;
  /** The current job is done; the process is free again. */
  idle(): void;
  /** The process exited; `cause` says why. Called once, after the current job was failed. */
  gone(cause: string, duringJob: boolean): void;
  note(about: 'fault' | 'warm-up', detail: string): void;
  timedOut(timeoutMs: number): void;
  /** The current job exceeded its memory limit. */
  outgrown(rssBytes: number): void;
  /** Decoding of the current job's image exceeded its processor time, `maxCpuMs`. */
  overworked(cpuMs: number, maxCpuMs: number): void;
}

/** What one job may take; a process above a limit is killed. */
interface JobLimits {
  /** Resident bytes of its process; undefined: not watched. */
  readonly jobMaxRssBytes: number | undefined;
  /** What is to blame for memory above the limit once the image is decoded: the graph of a customer, or the image. */
  readonly outgrownBy: 'image' | 'model';
  /** Processor time of decoding an image; for AVIF and HEIC the same once more for every 16 million pixels. */
  readonly decodeMaxCpuMs: number;
}

export interface InferenceProcessOptions extends JobLimits {
  readonly entry: URL;
  readonly settings: Command & { type: 'settings' };
  readonly oomScoreAdj: number | undefined;
  /** Of `findDeathGuard`. */
  readonly guard: readonly string[];
}

/** Answers the questions of a process about a job that other processes may help with. */
interface JobPartner {
  /** An empty file for `bytes` of pixels; null: continue alone. */
  offered(bytes: number): Promise<string | null>;
  shared(pixels: SharedPixels): void;
  /** The index of the job's next chain; null: none is left. */
  claim(): number | null;
}

interface CurrentJob {
  readonly id: number;
  readonly since: number;
  readonly partner: JobPartner | undefined;
  readonly stopWatching: () => void;
  /** Ends the watch over decoding; undefined while nothing is decoded. */
  stopDecoding: (() => void) | undefined;
  readonly whenFree: (() => void)[];
  settle(outcome: JobResult | EngineError): void;
}

/**
 * Pixels of an AVIF or HEIC that have as much time as any image of another format: 10 s are 600 ns a pixel, where the slowest measured ones
 * take 300 in a process that decodes its first one.
 */
const slowPixelsOfLimit = 16_000_000;

/** One forked process and the one job it may be working on. */
export class InferenceProcess {
  readonly #child: ChildHost;
  readonly #handlers: ProcessHandlers;
  readonly #limits: JobLimits;
  readonly startedAt = performance.now();
  state: ProcessState = { models: [], rssBytes: 0, cpuMs: 0 };
  isReady = false;
  jobsDone = 0;
  /** Processor time of the last job, in milliseconds; of one that crashed, the time that it was running. */
  lastJobCpuMs = 0;
  /** Whether it was killed because its job exceeded a limit. */
  wasEnded = false;
  #currentJob: CurrentJob | undefined;
  #lastJobId = 0;
  #leaving = false;
  readonly exited: Promise<void>;

  constructor(options: InferenceProcessOptions, handlers: ProcessHandlers) {
    const { entry, settings, oomScoreAdj, guard } = options;
    this.#handlers = handlers;
    this.#limits = options;
    this.#child = new ChildHost({
      entry,
      // Otherwise passing pixels start a full collection of an almost empty heap every few jobs, at a twentieth of the CPU. What bounds
      // memory is V8's own limit of 64 MB for pixels that were left: the peak is the same.
      execArgv: ['--heap-growing-percent=1000'],
      guard,
      output: 'stderr',
      oomScoreAdj,
      onMessage: (report) => this.#hear(report as Report),
    });
    this.exited = this.#child.exited.then(({ cause }) => this.#end(cause));
    this.#child.send(settings);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Memory as the kernel counts it, or else as the process reported it last. */
  get rssBytes(): number {
    return this.#child.rssBytes ?? this.state.rssBytes;
  }

  get isIdle(): boolean {
    return this.isReady && !this.#currentJob && !this.#leaving;
  }

  get isBusy(): boolean {
    return this.#currentJob !== undefined;
  }

  /**
   * Runs one job. Once `signal` fires the caller is released at once; the process stops at its next step and is
   * busy until then. Past `timeoutMs`, or above the memory that a job may take, it is killed.
   */
  run(
    job: Job,
    timeoutMs: number,
    signal: AbortSignal | undefined,
    partner?: JobPartner,
  ): Promise<JobResult> {
    return new Promise((resolve, reject) => {
      this.#lastJobId += 1;
      const id = this.#lastJobId;
      const abort = () => {
        this.#child.send({ type: 'abort', id });
        reject(new EngineError('aborted', 'the caller gave up', { cpuMs: this.#currentCpuMs }));
      };
      this.#currentJob = {
        id,
        since: performance.now(),
        partner,
        stopWatching: this.#child.watch({ timeoutMs, maxRssBytes: this.#limits.jobMaxRssBytes }, (by) =>
          this.#endJob(by, { timeoutMs }),
        ),
        stopDecoding: undefined,
        whenFree: [],
        settle: (outcome) => {
          signal?.removeEventListener('abort', abort);
          if (outcome instanceof EngineError) reject(outcome);
          else resolve(outcome);
        },
      };
      signal?.addEventListener('abort', abort, { once: true });
      try {
        const sent = job as (Command & { type: 'job' })['job'];
        this.#child.send({ type: 'job', id, job: sent, mayShare: partner !== undefined });
      } catch (error) {
        // The options cannot be cloned; the process did not receive the job.
        this.#handlers.note('fault', String(error));
        this.#settle(new EngineError('internal', 'the job cannot be sent to a process'));
        this.#handlers.idle();
      }
    });
  }

  /** Calls back when the current job is done, at once where there is none; its caller may have been released before. */
  onceFree(then: () => void): void {
    if (this.#currentJob) this.#currentJob.whenFree.push(then);
    else then();
  }

  /** Accepts no further job and exits once the current one is done. */
  async leave(): Promise<void> {
    this.#leaving = true;
    if (!this.#currentJob) this.#child.disconnect();
    await this.exited;
  }

  kill(): void {
    this.#leaving = true;
    this.#child.kill();
  }

  /** Its job stands still until `resume`; false where that is not possible. */
  pause(): boolean {
    return this.#child.pause();
  }

  resume(): void {
    this.#child.resume();
  }

  /** What the current job has taken so far. */
  get #currentCpuMs(): number {
    return Math.max(0, (this.#child.cpuMs ?? 0) - this.state.cpuMs);
  }

  #endJob(by: ReachedLimit, { timeoutMs = 0, maxCpuMs = 0 }): void {
    this.#leaving = true;
    this.wasEnded = true;
    this.lastJobCpuMs = this.#currentCpuMs;
    const { jobMaxRssBytes = 0, outgrownBy } = this.#limits;
    const isImage = outgrownBy === 'image' || this.#currentJob?.stopDecoding !== undefined;
    const hadLessMemory = by.limit === 'memory' && isImage && this.jobsDone > 0;
    const end = (code: EngineErrorCode, message: string) =>
      this.#settle(new EngineError(code, message, { cpuMs: this.lastJobCpuMs, hadLessMemory }));
    if (by.limit === 'memory') {
      this.#handlers.outgrown(by.rssBytes);
      const mebibytes = Math.round(jobMaxRssBytes / 2 ** 20);
      if (isImage)
        end('image-too-complex', `the image takes more than ${mebibytes} MiB of memory, the limit`);
      else end('memory', `the job took more than ${mebibytes} MiB of memory`);
    } else if (by.limit === 'cpu') {
      this.#handlers.overworked(this.lastJobCpuMs, maxCpuMs);
      end(
        'image-too-complex',
        `decoding the image takes more than ${maxCpuMs / 1000} s of processor time, the limit`,
      );
    } else {
      this.#handlers.timedOut(timeoutMs);
      end('timeout', `the image took longer than ${timeoutMs} ms`);
    }
  }

  #watchDecoding({ id, isDecoding, slowPixels }: Report & { type: 'decoding' }): void {
    const job = this.#currentJob;
    if (id !== job?.id) return;
    job.stopDecoding?.();
    const maxCpuMs = Math.round(this.#limits.decodeMaxCpuMs * (1 + slowPixels / slowPixelsOfLimit));
    job.stopDecoding = isDecoding
      ? this.#child.watch({ maxCpuMs }, (by) => this.#endJob(by, { maxCpuMs }))
      : undefined;
  }

  #hear(report: Report): void {
    switch (report.type) {
      case 'note':
        this.#handlers.note(report.about, report.detail);
        return;
      case 'ready':
        this.state = report.state;
        this.isReady = true;
        this.#handlers.ready();
        return;
      case 'decoding':
        this.#watchDecoding(report);
        return;
      case 'done':
      case 'failed':
        this.#finishJob(report);
        return;
      default:
        void this.#answer(report);
    }
  }

  async #answer(report: Report & { type: 'decoded' | 'shared' | 'next' }): Promise<void> {
    const { id } = report;
    const partner = id === this.#currentJob?.id ? this.#currentJob.partner : undefined;
    if (!partner) return;
    if (report.type === 'decoded') {
      this.#child.send({ type: 'share', id, path: await partner.offered(report.bytes) });
    } else if (report.type === 'next') {
      this.#child.send({ type: 'chain', id, index: partner.claim() });
    } else {
      partner.shared(report.pixels);
    }
  }

  #finishJob(report: Report & { type: 'done' | 'failed' }): void {
    if (report.id !== this.#currentJob?.id) return;
    this.lastJobCpuMs = Math.max(0, report.state.cpuMs - this.state.cpuMs);
    this.state = report.state;
    this.jobsDone += 1;
    this.#settle(
      report.type === 'done' ? report.result : new EngineError(report.error.code, report.error.message),
    );
    if (this.#leaving) this.#child.disconnect();
    this.#handlers.idle();
  }

  #settle(outcome: JobResult | EngineError): void {
    const job = this.#currentJob;
    this.#currentJob = undefined;
    if (!job) return;
    job.stopWatching();
    job.stopDecoding?.();
    job.settle(outcome);
    for (const then of job.whenFree) then();
  }

  #end(cause: string): void {
    const duringJob = this.isBusy;
    this.isReady = false;
    this.#leaving = true;
    // Nobody counts what a process took that is gone; its threads work on one thing at a time.
    if (this.#currentJob) this.lastJobCpuMs = performance.now() - this.#currentJob.since;
    this.#settle(
      new EngineError('process-crashed', 'the process working on this image crashed', {
        cpuMs: this.lastJobCpuMs,
      }),
    );
    this.#handlers.gone(cause, duringJob);
  }
}
