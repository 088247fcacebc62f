import { type ChildProcess, fork } from 'node:child_process';
import { EngineError } from '../errors.js';
import type { SharedPixels } from '../image/shared-pixels.js';
import { parentArguments } from './end-with-parent.js';
import { processEnvironment } from './environment.js';
import type { Command, Job, JobResult, ProcessState, Report } from './messages.js';
import { residentBytes } from './resident-bytes.js';
import { watchMemory } from './watch-memory.js';

export interface ProcessHandlers {
  ready(): void;
  /** The job in hand came back; the process is free again. */
  idle(): void;
  /** It is gone, for whatever reason; `cause` says which. Called once, after the job in hand was failed. */
  gone(cause: string, duringJob: boolean): void;
  note(about: 'fault' | 'warm-up', detail: string): void;
  timedOut(timeoutMs: number): void;
  /** The job in hand took more memory than a job may. */
  outgrown(rssBytes: number): void;
}

export interface InferenceProcessOptions {
  readonly entry: URL;
  readonly settings: Command & { type: 'settings' };
  /** Resident bytes above which it is killed during a job; undefined: not watched. */
  readonly jobMaxRssBytes: number | undefined;
}

/** From so long to so long a process is looked at; a graph that allocates takes one or two gigabytes a second. */
const watchEveryMs = 50;

/** What a process asks of us about a job that others may help with. */
export interface JobPartner {
  /** An empty file for `bytes` of pixels; null: go on alone. */
  offered(bytes: number): Promise<string | null>;
  shared(pixels: SharedPixels): void;
  /** The next chain of the job, by its place; null: none is left. */
  claim(): number | null;
}

interface JobInHand {
  readonly id: number;
  readonly partner: JobPartner | undefined;
  readonly timer: NodeJS.Timeout;
  readonly stopWatching: () => void;
  readonly freed: () => void;
  settle(outcome: JobResult | EngineError): void;
}

/** One forked process and the one job it may be working on. */
export class InferenceProcess {
  readonly #child: ChildProcess;
  readonly #handlers: ProcessHandlers;
  readonly #jobMaxRssBytes: number | undefined;
  readonly startedAt = performance.now();
  state: ProcessState = { models: [], rssBytes: 0 };
  isReady = false;
  jobsDone = 0;
  /** Whether it was killed for what its job did: took too long, or too much memory. */
  wasEnded = false;
  #jobInHand: JobInHand | undefined;
  /** Resolves when the job in hand is, though its caller may have been let go before. */
  freed: Promise<void> = Promise.resolve();
  #lastJobId = 0;
  #leaving = false;
  readonly exited: Promise<void>;

  constructor({ entry, settings, jobMaxRssBytes }: InferenceProcessOptions, handlers: ProcessHandlers) {
    this.#handlers = handlers;
    this.#jobMaxRssBytes = jobMaxRssBytes;
    this.#child = fork(entry, parentArguments(), {
      serialization: 'advanced',
      // Pixels passing through would start a full collection every few dozen jobs over a heap that holds little.
      execArgv: ['--heap-growing-percent=100'],
      env: processEnvironment(process.env),
      // What native libraries print goes to our standard error: standard output may be somebody's pipe.
      stdio: ['ignore', 2, 2, 'ipc'],
    });
    this.exited = new Promise((resolve) => {
      const end = (cause: string) => {
        this.#end(cause);
        resolve();
      };
      this.#child.once('exit', (code, signal) => end(signal ? `signal ${signal}` : `exit code ${code}`));
      this.#child.once('error', (error) => {
        // A process that could not be started has no exit; for any other error (a failed send) the exit follows.
        if (this.#child.pid === undefined) end(error.message);
        else this.#child.kill('SIGKILL');
      });
    });
    this.#child.on('message', (report) => this.#hear(report as Report));
    this.#send(settings);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** As the kernel counts it now, or else as the process said last. */
  get rssBytes(): number {
    return (this.pid === undefined ? undefined : residentBytes(this.pid)) ?? this.state.rssBytes;
  }

  get isIdle(): boolean {
    return this.isReady && !this.#jobInHand && !this.#leaving;
  }

  get isBusy(): boolean {
    return this.#jobInHand !== undefined;
  }

  /**
   * Runs one job. Once `signal` fires the caller is let go at once; the process stops at its next step and is
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
        this.#send({ type: 'abort', id });
        reject(new EngineError('aborted', 'the caller gave up'));
      };
      const timer = setTimeout(() => {
        this.wasEnded = true;
        this.#handlers.timedOut(timeoutMs);
        this.kill();
        this.#settle(new EngineError('timeout', `the image took longer than ${timeoutMs} ms`));
      }, timeoutMs);
      let freed = () => {};
      this.freed = new Promise((resolveFreed) => {
        freed = resolveFreed;
      });
      this.#jobInHand = {
        id,
        partner,
        timer,
        stopWatching: this.#watchMemory(),
        freed,
        settle: (outcome) => {
          signal?.removeEventListener('abort', abort);
          if (outcome instanceof EngineError) reject(outcome);
          else resolve(outcome);
        },
      };
      signal?.addEventListener('abort', abort, { once: true });
      try {
        const sent = job as (Command & { type: 'job' })['job'];
        this.#send({ type: 'job', id, job: sent, mayShare: partner !== undefined });
      } catch (error) {
        // Something in the options that cannot be cloned; the process never saw the job.
        this.#handlers.note('fault', String(error));
        this.#settle(new EngineError('internal', 'the job cannot be sent to a process'));
        this.#handlers.idle();
      }
    });
  }

  /** Takes no further job and leaves once the one in hand is done. */
  async leave(): Promise<void> {
    this.#leaving = true;
    if (!this.#jobInHand) this.#disconnect();
    await this.exited;
  }

  kill(): void {
    this.#leaving = true;
    this.#child.kill('SIGKILL');
  }

  #watchMemory(): () => void {
    const maxRssBytes = this.#jobMaxRssBytes;
    if (maxRssBytes === undefined) return () => {};
    return watchMemory(this.pid, { maxRssBytes, everyMs: watchEveryMs }, (rssBytes) => {
      this.wasEnded = true;
      this.#handlers.outgrown(rssBytes);
      this.kill();
      const mebibytes = Math.round(maxRssBytes / 2 ** 20);
      this.#settle(new EngineError('memory', `the job took more than ${mebibytes} MiB of memory`));
    });
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
    const partner = id === this.#jobInHand?.id ? this.#jobInHand.partner : undefined;
    if (!partner) return;
    if (report.type === 'decoded') {
      this.#send({ type: 'share', id, path: await partner.offered(report.bytes) });
    } else if (report.type === 'next') {
      this.#send({ type: 'chain', id, index: partner.claim() });
    } else {
      partner.shared(report.pixels);
    }
  }

  #finishJob(report: Report & { type: 'done' | 'failed' }): void {
    if (report.id !== this.#jobInHand?.id) return;
    this.state = report.state;
    this.jobsDone += 1;
    this.#settle(
      report.type === 'done' ? report.result : new EngineError(report.error.code, report.error.message),
    );
    if (this.#leaving) this.#disconnect();
    this.#handlers.idle();
  }

  #settle(outcome: JobResult | EngineError): void {
    const job = this.#jobInHand;
    this.#jobInHand = undefined;
    if (!job) return;
    clearTimeout(job.timer);
    job.stopWatching();
    job.settle(outcome);
    job.freed();
  }

  #end(cause: string): void {
    const duringJob = this.isBusy;
    this.isReady = false;
    this.#leaving = true;
    this.#settle(new EngineError('process-crashed', 'the process working on this image crashed'));
    this.#handlers.gone(cause, duringJob);
  }

  #send(command: Command): void {
    // A failed send means that the process is going; its exit settles what there is to settle.
    if (this.#child.connected) this.#child.send(command, () => {});
  }

  #disconnect(): void {
    if (this.#child.connected) this.#child.disconnect();
  }
}
