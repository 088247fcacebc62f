import type { ProcessRunner } from '@lynceus/engine';

/** Starts inference processes with the first image: most commands look at none. */
export function startedWhenAsked(runner: ProcessRunner): ProcessRunner['analyse'] {
  let started: Promise<void> | undefined;
  return async (job, options) => {
    started ??= runner.start();
    await started;
    return runner.analyse(job, options);
  };
}
