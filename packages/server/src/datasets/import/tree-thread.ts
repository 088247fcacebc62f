import { Worker } from 'node:worker_threads';
import { FormatError } from '../formats/plan.js';
import type { TreeAnswers, TreeMessage, TreeReport, TreeRequest } from './messages.js';

/**
 * A zip or folder, read by a thread of its own: whatever its annotations hold, the serving thread goes on. Throws
 * `FormatError` when the files are at fault, also when they take all the memory or time that the thread has.
 */
export interface TreeThread {
  ask<Ask extends keyof TreeAnswers>(request: Extract<TreeRequest, { ask: Ask }>): Promise<TreeAnswers[Ask]>;
  close(): Promise<void>;
}

/** For one request: annotations of a hundred thousand images are read in a few seconds. */
const longestMs = 120_000;
const maxHeapMb = 1024;

export function startTreeThread(signal: AbortSignal): TreeThread {
  const worker = new Worker(new URL('./tree-worker.js', import.meta.url), {
    name: 'dataset-import',
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  const waiting = new Map<number, { resolve: (answer: never) => void; reject: (error: unknown) => void }>();
  let serial = 0;
  let ended: Error | null = null;
  let cause: unknown;

  worker.on('message', (report: TreeReport) => {
    const caller = waiting.get(report.id);
    waiting.delete(report.id);
    if ('answer' in report) caller?.resolve(report.answer as never);
    else if (report.isUserError) caller?.reject(new FormatError(report.failure));
    else caller?.reject(Object.assign(new Error(report.failure), { code: report.code }));
  });
  worker.on('error', (error: unknown) => {
    cause = error;
  });
  worker.on('exit', () => {
    ended ??= new FormatError('reading it takes more memory than there is for it: import it in parts', {
      cause,
    });
    for (const caller of waiting.values()) caller.reject(ended);
    waiting.clear();
  });
  const onAbort = () => {
    ended ??= signal.reason instanceof Error ? signal.reason : new Error('stopped');
    void worker.terminate();
  };
  signal.addEventListener('abort', onAbort, { once: true });

  return {
    ask(request) {
      if (signal.aborted) return Promise.reject(signal.reason);
      if (ended) return Promise.reject(ended);
      serial += 1;
      const message: TreeMessage = { id: serial, request };
      const timer = setTimeout(() => {
        ended ??= new FormatError(`reading it takes longer than ${longestMs} ms: import it in parts`);
        void worker.terminate();
      }, longestMs);
      return new Promise<never>((resolve, reject) => {
        waiting.set(message.id, { resolve, reject });
        worker.postMessage(message);
      }).finally(() => clearTimeout(timer));
    },
    async close() {
      signal.removeEventListener('abort', onAbort);
      ended ??= new Error('closed');
      await worker.terminate();
    },
  };
}
