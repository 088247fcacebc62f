import type { ProcessRunner } from '@lynceus/engine';

/** Whether requests of users wait for inference, for work that gives way to them. */
export interface InferenceLoad {
  /** Whether one waits now, or has waited since this was asked last. */
  isInteractiveWaiting(): boolean;
}

type Runner = Pick<ProcessRunner, 'analyse' | 'unpackJson' | 'stats'>;

/** Below it a job began at once: the time to hand it to a process. */
const noticeableMs = 5;

/** The same runner, and how long jobs of users wait in it. */
export function watchLoad(runner: Runner): { readonly runner: Runner; readonly load: InferenceLoad } {
  let hasWaited = false;
  return {
    runner: {
      ...runner,
      async analyse(job, options) {
        const analysis = await runner.analyse(job, options);
        if (options.priority === 'interactive' && (analysis.timingsMs['queue'] ?? 0) > noticeableMs)
          hasWaited = true;
        return analysis;
      },
    },
    load: {
      isInteractiveWaiting() {
        const before = hasWaited;
        hasWaited = false;
        return before || runner.stats().queued.interactive > 0;
      },
    },
  };
}
