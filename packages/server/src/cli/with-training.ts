import { createTrainer, defaultModelsDir, openCatalog } from '@lynceus/engine';
import { systemClock } from '../core/clock.js';
import type { JobKind } from '../jobs/job.js';
import { createJobs, type Jobs } from '../jobs/jobs.js';
import { trainModelKind } from '../models/job-kinds.js';
import { type ModelStore, openModelStore } from '../models/model-store.js';
import { createModelWork } from '../models/model-work.js';
import type { StartRun } from '../models/training/start-run.js';
import type { CommandContext } from './context.js';
import { type OpenDatasets, withDatasets } from './with-datasets.js';

export interface OpenTraining extends OpenDatasets {
  readonly customModels: ModelStore;
  readonly jobs: Jobs;
  readonly startRun: StartRun;
  /** Trains in a process of its own, as a service does. */
  readonly trainModel: JobKind;
}

/** Opens the datasets and models of an account, and what training needs, for the time of one command. */
export function withTraining<T>(
  context: CommandContext,
  account: string,
  work: (open: OpenTraining) => Promise<T>,
): Promise<T> {
  return withDatasets(context, account, async (open) => {
    const { settings, database, folder, disk, runner } = open;
    const clock = systemClock;
    const customModels = await openModelStore({
      database,
      clock,
      folder,
      disk,
      limits: settings,
      mayServiceBeRunning: true,
    });
    const modelsDir = settings.modelsDir || defaultModelsDir({ env: context.env, dataDir: settings.dataDir });
    const catalog = await openCatalog({ modelsDir, env: context.env });
    const jobs = createJobs({ database, clock });
    const { startRun, kinds } = createModelWork({
      database,
      jobs,
      runner,
      disk,
      datasets: open.store,
      store: customModels,
      trainer: createTrainer({
        maxRssBytes: settings.trainingMaxMemoryMb * 2 ** 20,
        timeoutMs: settings.trainingTimeoutMs,
        onFault: (detail) => context.note(detail),
      }),
      installedModel: (id) => catalog.installed(id),
      limits: { maxPixels: settings.maxPixels },
      wake: () => undefined,
    });
    const trainModel = kinds.find(({ kind }) => kind === trainModelKind);
    if (!trainModel) throw new Error(`there is no work of the kind ${trainModelKind}`);
    return work({ ...open, customModels, jobs, startRun, trainModel });
  });
}
