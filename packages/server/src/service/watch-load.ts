import type { ProcessRunner } from '@lynceus/engine';
import type { Metrics } from '../core/metrics.js';

/** Whether requests of users wait for inference, for work that gives way to them. */
export interface InferenceLoad {
  /** Whether one waits now, or has waited since this was asked last. */
  isInteractiveWaiting(): boolean;
  /** Whether users have asked for something within the last seconds. */
  isInteractive(): boolean;
}

type Runner = Pick<ProcessRunner, 'analyse' | 'unpackJson' | 'stats'>;

/** Below it a job began at once: the time to hand it to a process. */
const noticeableMs = 5;
/** Whoever asks is likely to ask again within it. */
const lastsMs = 5000;

/** The same runner, and how long jobs of users wait in it; what the queue cost each job is counted. */
export function watchLoad(
  runner: Runner,
  { observeQueueWait }: Pick<Metrics, 'observeQueueWait'>,
): { readonly runner: Runner; readonly load: InferenceLoad } {
  let hasWaited = false;
  let askedMs = Number.NEGATIVE_INFINITY;
  return {
    runner: {
      ...runner,
      async analyse(job, options) {
        const isInteractive = options.priority === 'interactive';
        if (isInteractive) askedMs = performance.now();
        const analysis = await runner.analyse(job, options);
        const { queue: queueMs = 0 } = analysis.timingsMs;
        observeQueueWait(options.priority, queueMs);
        if (isInteractive && queueMs > noticeableMs) hasWaited = true;
        return analysis;
      },
    },
    load: {
      isInteractiveWaiting() {
        const before = hasWaited;
        hasWaited = false;
        return before || runner.stats().queued.interactive > 0;
      },
      isInteractive: () => performance.now() - askedMs < lastsMs,
    },
  };
}
