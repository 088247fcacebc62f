import { type ChildProcess, fork } from 'node:child_process';
import { EngineError } from '../errors.js';
import type { SharedPixels } from '../image/shared-pixels.js';
import { parentArguments } from './end-with-parent.js';
import { processEnvironment } from './environment.js';
import type { Command, Job, JobResult, ProcessState, Report } from './messages.js';

export interface ProcessHandlers {
  ready(): void;
  /** The job in hand came back; the process is free again. */
  idle(): void;
  /** It is gone, for whatever reason; `cause` says which. Called once, after the job in hand was failed. */
  gone(cause: string, duringJob: boolean): void;
  note(about: 'fault' | 'warm-up', detail: string): void;
  timedOut(timeoutMs: number): void;
}

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
  settle(outcome: JobResult | EngineError): void;
}

/** One forked process and the one job it may be working on. */
export class InferenceProcess {
  readonly #child: ChildProcess;
  readonly #handlers: ProcessHandlers;
  readonly startedAt = performance.now();
  state: ProcessState = { models: [], rssBytes: 0 };
  isReady = false;
  jobsDone = 0;
  #jobInHand: JobInHand | undefined;
  #lastJobId = 0;
  #leaving = false;
  readonly exited: Promise<void>;

  constructor(entry: URL, settings: Command & { type: 'settings' }, handlers: ProcessHandlers) {
    this.#handlers = handlers;
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

  get isIdle(): boolean {
    return this.isReady && !this.#jobInHand && !this.#leaving;
  }

  get isBusy(): boolean {
    return this.#jobInHand !== undefined;
  }

  /**
   * Runs one job. Once `signal` fires the caller is let go at once; the process stops at its next step and is
   * busy until then. Past `timeoutMs` it is killed.
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
        this.#handlers.timedOut(timeoutMs);
        this.#settle(new EngineError('timeout', `the picture took longer than ${timeoutMs} ms`));
        this.kill();
      }, timeoutMs);
      this.#jobInHand = {
        id,
        partner,
        timer,
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
    job.settle(outcome);
  }

  #end(cause: string): void {
    const duringJob = this.isBusy;
    this.isReady = false;
    this.#leaving = true;
    this.#settle(new EngineError('process-lost', 'the process working on this picture was lost'));
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
