import { Worker } from 'node:worker_threads';
import { JobQueue, type Run } from '@lynceus/engine';
import { ServiceError } from '../../core/service-error.js';
import type { IndexMessage, IndexOutcome, IndexReport, IndexRequest } from './messages.js';

/** The worker thread of the index, from the serving thread. */
export interface IndexThread {
  /**
   * Requests of one owner are carried out in the order of these calls; owners take turns by the time that theirs take. Throws
   * `service_busy` when the thread is lost.
   */
  ask(request: IndexRequest, owner: string): Promise<IndexOutcome>;
  close(): Promise<void>;
}

interface Waiting {
  readonly resolve: (outcome: IndexOutcome) => void;
  readonly reject: (error: Error) => void;
}

/** Requests that the thread has at once: one more than it works on, so that it never waits for the serving thread. */
const maxPosted = 2;

/** @param onCrash called when the thread ended by itself, with all that it held in memory */
export function startIndexThread(onCrash: (error: Error) => void): IndexThread {
  const waiting = new Map<number, Waiting>();
  const queue = new JobQueue<IndexMessage>({ maxEntries: Number.POSITIVE_INFINITY });
  const posted = new Map<number, Run>();
  let busySince = 0;
  let serial = 0;
  let ended: Error | null = null;
  let cause = new Error('the index thread ended');
  const worker = new Worker(new URL('./index-worker.js', import.meta.url), {
    name: 'face-index',
    execArgv: [],
  });
  // A service that has nothing else to do may end.
  worker.unref();

  const postNext = () => {
    while (posted.size < maxPosted) {
      const next = queue.take();
      if (!next) return;
      if (posted.size === 0) busySince = performance.now();
      posted.set(next.entry.id, next);
      worker.postMessage(next.entry);
    }
  };

  worker.on('message', (report: IndexReport) => {
    const now = performance.now();
    posted.get(report.id)?.end((now - busySince) / 1000);
    posted.delete(report.id);
    busySince = now;
    postNext();
    const caller = waiting.get(report.id);
    waiting.delete(report.id);
    if ('failure' in report) caller?.reject(new Error(report.failure));
    else caller?.resolve(report.outcome);
  });
  worker.on('error', (error: unknown) => {
    cause = error instanceof Error ? error : new Error(String(error));
  });
  worker.on('exit', () => {
    const wasAsked = ended !== null;
    ended ??= new ServiceError('service_busy', 'the face index is being built again; try again shortly', {
      cause,
    });
    for (const caller of waiting.values()) caller.reject(ended);
    waiting.clear();
    if (!wasAsked) onCrash(cause);
  });

  return {
    ask(request, owner) {
      if (ended) return Promise.reject(ended);
      serial += 1;
      const message: IndexMessage = { id: serial, request };
      return new Promise((resolve, reject) => {
        waiting.set(message.id, { resolve, reject });
        queue.add(message, 'interactive', owner);
        postNext();
      });
    },
    async close() {
      ended ??= new ServiceError('service_busy', 'the service is stopping; try again shortly');
      await worker.terminate();
    },
  };
}
