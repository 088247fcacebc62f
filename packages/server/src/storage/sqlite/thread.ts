import { Worker } from 'node:worker_threads';
import type { WriteResult } from '../database.js';
import { StorageError } from '../storage-error.js';
import { type Batch, fromFailure, isFailure, type Report, type Unit } from './messages.js';
import type { ThreadData } from './thread-data.js';

interface DatabaseThreadOptions {
  readonly entry: URL;
  readonly name: string;
  readonly data: ThreadData;
  /** Units in one batch, which is one commit of the writer. */
  readonly maxBatch: number;
  /** Units that may wait; above it they are refused at once. */
  readonly maxWaiting: number;
  /** Called for each answered batch. */
  readonly onBatch?: (units: number, durationMs: number) => void;
  /** Called when the thread was lost, whether or not a new one takes its place. */
  readonly onCrash?: (error: Error) => void;
}

/** A worker thread that runs SQL: units go in, their results come back. */
export interface DatabaseThread {
  submit(unit: Unit): Promise<readonly WriteResult[]>;
  /** True, or why nothing can be answered. */
  isReady(): true | string;
  /** Finishes what was submitted, then ends the thread. */
  close(): Promise<void>;
}

interface Waiting {
  readonly unit: Unit;
  readonly resolve: (results: readonly WriteResult[]) => void;
  readonly reject: (error: StorageError) => void;
}

/** A thread lost this often within the window stays down, and the service is not ready. */
const lossesAllowed = 3;
const lossWindowMs = 60_000;

/**
 * Starts a database thread. Units submitted while a batch is at work gather into the next one: the slower the disk,
 * the larger the commits. A lost thread rejects the batch it held as `lost` (it may be on disk or not) and is replaced.
 */
export async function startDatabaseThread(options: DatabaseThreadOptions): Promise<DatabaseThread> {
  const waiting: Waiting[] = [];
  const losses: number[] = [];
  let inFlight: readonly Waiting[] = [];
  let sentAt = 0;
  let scheduled = false;
  let broken: StorageError | null = null;
  let closing: { done: () => void } | null = null;

  const begin = () => openWorker(options, { report: take, lost: replace });
  let worker: Worker | null = await begin();

  function send(): void {
    scheduled = false;
    if (!worker || inFlight.length > 0) return;
    if (waiting.length === 0) {
      if (closing) worker.postMessage('close');
      return;
    }
    inFlight = waiting.splice(0, options.maxBatch);
    sentAt = performance.now();
    const batch: Batch = inFlight.map((entry) => entry.unit);
    worker.postMessage(batch);
  }

  function take(report: Report): void {
    if (report.kind !== 'done') return;
    const answered = inFlight;
    inFlight = [];
    options.onBatch?.(answered.length, performance.now() - sentAt);
    // The answers first, in the same turn as the next batch leaves: callers in a loop fill the one after it.
    send();
    for (const [index, entry] of answered.entries()) {
      const outcome = report.outcomes[index];
      if (!outcome)
        entry.reject(new StorageError('internal', 'An answer of the database thread is missing.'));
      else if (isFailure(outcome)) entry.reject(fromFailure(outcome));
      else entry.resolve(outcome);
    }
  }

  function replace(error: Error): void {
    worker = null;
    const lost = inFlight;
    inFlight = [];
    for (const entry of lost) {
      entry.reject(
        new StorageError('lost', 'The database thread crashed; the change may be on disk or not.'),
      );
    }
    if (closing) {
      rejectAll(new StorageError('closed', 'The database is closed.'));
      closing.done();
      return;
    }
    options.onCrash?.(error);
    losses.push(Date.now());
    const recent = losses.filter((at) => at > Date.now() - lossWindowMs);
    if (recent.length > lossesAllowed) {
      failPermanently(`The database thread "${options.name}" crashes repeatedly: ${error.message}`);
      return;
    }
    begin().then(
      (fresh) => {
        worker = fresh;
        send();
      },
      (failure: unknown) => failPermanently(failure instanceof Error ? failure.message : String(failure)),
    );
  }

  function failPermanently(message: string): void {
    broken = new StorageError('lost', message);
    rejectAll(broken);
    closing?.done();
  }

  function rejectAll(error: StorageError): void {
    for (const entry of waiting.splice(0)) entry.reject(error);
  }

  return {
    submit(unit) {
      if (broken) return Promise.reject(broken);
      if (closing) return Promise.reject(new StorageError('closed', 'The database is closed.'));
      if (waiting.length >= options.maxWaiting) {
        return Promise.reject(new StorageError('overloaded', 'The database is not keeping up; try again.'));
      }
      return new Promise((resolve, reject) => {
        waiting.push({ unit, resolve, reject });
        if (scheduled || inFlight.length > 0) return;
        scheduled = true;
        setImmediate(send);
      });
    },
    isReady() {
      if (broken) return broken.message;
      return worker ? true : `The database thread "${options.name}" is starting again.`;
    },
    close() {
      if (broken) return Promise.resolve();
      return new Promise((resolve) => {
        closing = { done: resolve };
        send();
      });
    },
  };
}

interface WorkerEvents {
  report(report: Report): void;
  lost(error: Error): void;
}

/** Resolves when the thread has its database open; rejects with the reason it has not. */
function openWorker(options: DatabaseThreadOptions, events: WorkerEvents): Promise<Worker> {
  const worker = new Worker(options.entry, { name: options.name, workerData: options.data, execArgv: [] });
  return new Promise((resolve, reject) => {
    let opened = false;
    let cause = new Error(`the thread "${options.name}" ended`);
    worker.on('message', (report: Report) => {
      if (report.kind === 'open') {
        opened = true;
        resolve(worker);
      } else if (report.kind === 'not-open') {
        reject(fromFailure(report.failure));
      } else {
        events.report(report);
      }
    });
    worker.on('error', (error: unknown) => {
      cause = error instanceof Error ? error : new Error(String(error));
    });
    worker.on('exit', () => {
      if (opened) events.lost(cause);
      else reject(cause);
    });
  });
}
