import { type ChildExit, ChildHost, findDeathGuard, type ReachedLimit } from '@lynceus/engine';
import { FormatError } from '../formats/plan.js';
import type { TreeAnswers, TreeMessage, TreeReport, TreeRequest } from './messages.js';

/**
 * A zip or folder, read by a process of its own, which is killed when it reaches a limit: nothing that annotations hold takes time
 * or memory of the service. Throws `FormatError` when the files are at fault, also when they take all that the process has.
 */
export type TreeProcess = Awaited<ReturnType<typeof startTreeProcess>>;

interface TreeLimits {
  readonly maxRssBytes: number;
  /** Of one request: annotations of 128 MiB take some ten seconds. */
  readonly maxCpuMs: number;
  /** Of one request, where the processor is busy or its time is not known. */
  readonly timeoutMs: number;
}

const usualLimits: TreeLimits = { maxRssBytes: 512 * 2 ** 20, maxCpuMs: 120_000, timeoutMs: 900_000 };

/** Of the memory; the rest is for what lies outside the heap. */
const heapShare = 0.7;

/** The process is killed when the signal fires. */
export async function startTreeProcess(signal: AbortSignal, limits: TreeLimits = usualLimits) {
  const guard = await findDeathGuard();
  signal.throwIfAborted();
  const waiting = new Map<number, { resolve: (answer: never) => void; reject: (error: unknown) => void }>();
  let serial = 0;
  let ended: Error | null = null;

  const child = new ChildHost({
    entry: new URL('./tree-main.js', import.meta.url),
    execArgv: [`--max-old-space-size=${Math.floor((limits.maxRssBytes * heapShare) / 2 ** 20)}`],
    guard,
    // What V8 prints about a heap that is full does not belong in the log.
    output: 'ignore',
    niceness: 10,
    oomScoreAdj: 1000,
    onMessage(message) {
      const report = message as TreeReport;
      const caller = waiting.get(report.id);
      waiting.delete(report.id);
      if ('answer' in report) caller?.resolve(report.answer as never);
      else if (report.isUserError) caller?.reject(new FormatError(report.failure));
      else caller?.reject(Object.assign(new Error(report.failure), { code: report.code }));
    },
  });
  const onLimit = (reached: ReachedLimit) => {
    ended ??=
      reached.limit === 'abort' ? toError(signal.reason) : new FormatError(explain(reached.limit, limits));
  };
  child.watch({ signal }, onLimit);
  void child.exited.then((exit) => {
    ended ??= explainExit(exit, limits);
    for (const caller of waiting.values()) caller.reject(ended);
    waiting.clear();
  });

  return {
    async ask<Ask extends keyof TreeAnswers>(
      request: Extract<TreeRequest, { ask: Ask }>,
    ): Promise<TreeAnswers[Ask]> {
      if (ended) throw ended;
      serial += 1;
      const message: TreeMessage = { id: serial, request };
      const stopWatch = child.watch(limits, onLimit);
      try {
        return await new Promise<never>((resolve, reject) => {
          waiting.set(message.id, { resolve, reject });
          child.send(message);
        });
      } finally {
        stopWatch();
      }
    },
    async close() {
      ended ??= new Error('closed');
      child.kill();
      await child.exited;
    },
  };
}

function explain(limit: 'memory' | 'cpu' | 'time', { maxRssBytes, maxCpuMs, timeoutMs }: TreeLimits): string {
  const quantity = {
    memory: `${Math.floor(maxRssBytes / 2 ** 20)} MiB of memory`,
    cpu: `${maxCpuMs / 1000} s of processor time`,
    time: `${timeoutMs / 1000} s`,
  }[limit];
  return `reading it takes more than ${quantity}, which is the limit: import it in parts`;
}

function explainExit({ cause, wasAborted }: ChildExit, limits: TreeLimits): Error {
  if (wasAborted) return new FormatError(explain('memory', limits));
  return new Error(`the process that reads it ended: ${cause}`);
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('stopped', { cause: reason });
}
