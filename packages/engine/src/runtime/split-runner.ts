import type { ModelRef } from '../catalog/manifest.js';
import { modelsOf } from './models-of.js';
import { byPriority } from './priority.js';
import type { ProcessRunner } from './process-runner.js';

export interface SplitRunnerOptions {
  /** Runs jobs without a custom model. */
  readonly builtin: ProcessRunner;
  readonly custom: ProcessRunner;
  readonly isCustom: (model: ModelRef) => boolean;
}

/** Runs jobs with a custom model in separate processes, for every caller. */
export function createSplitRunner({ builtin, custom, isCustom }: SplitRunnerOptions): ProcessRunner {
  return {
    async start() {
      await Promise.all([builtin.start(), custom.start()]);
    },
    analyse(job, options) {
      const models = job.tasks.flatMap((call) => modelsOf(call.options));
      return (models.some(isCustom) ? custom : builtin).analyse(job, options);
    },
    unpackJson: (job, options) => builtin.unpackJson(job, options),
    stats() {
      const [one, two] = [builtin.stats(), custom.stats()];
      return {
        queued: byPriority((priority) => one.queued[priority] + two.queued[priority]),
        processes: [...one.processes, ...two.processes],
        crashed: one.crashed + two.crashed,
        recycled: one.recycled + two.recycled,
        int8: one.int8 ?? two.int8,
        outgrown: one.outgrown + two.outgrown,
        timeouts: one.timeouts + two.timeouts,
      };
    },
    async drain(timeoutMs) {
      const drained = await Promise.all([builtin.drain(timeoutMs), custom.drain(timeoutMs)]);
      return drained.every(Boolean);
    },
    async close() {
      await Promise.all([builtin.close(), custom.close()]);
    },
  };
}
