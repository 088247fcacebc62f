import type { ImageLimits, ModelRef, ModelRunner, Trainer } from '@lynceus/engine';
import { trainingModels } from '../../service/builtin/shipped-models.js';
import type { JobKind } from '../../service/jobs/job.js';
import type { Jobs } from '../../service/jobs/jobs.js';
import type { Database } from '../../storage/database.js';
import type { DiskGuard } from '../../storage/disk-guard.js';
import type { DatasetStore } from '../datasets/dataset-store.js';
import { createCompareVersions } from './comparing/compare-versions.js';
import { createStartComparison, type StartComparison } from './comparing/start-comparison.js';
import type { ModelStore } from './model-store.js';
import { createReadReportImages } from './reports/read-report-images.js';
import { createReports, type Reports } from './reports/reports.js';
import { createStartRun, type StartRun } from './training/start-run.js';
import { createTrainModel } from './training/train-model.js';

/** Work on models and datasets, and its reports. */
export interface ModelWork {
  readonly startRun: StartRun;
  readonly startComparison: StartComparison;
  readonly reports: Reports;
  /** Of jobs, for the service that does them. */
  readonly kinds: readonly JobKind[];
}

interface ModelWorkDeps {
  readonly database: Database;
  readonly jobs: Pick<Jobs, 'insert' | 'wake'>;
  readonly store: Pick<ModelStore, 'models' | 'versions' | 'features' | 'quota'>;
  readonly disk: Pick<DiskGuard, 'require'>;
  readonly datasets: Pick<DatasetStore, 'datasets' | 'images' | 'blobs' | 'useTrainingSet'>;
  readonly runner: Pick<ModelRunner, 'analyse'>;
  readonly trainer: Trainer;
  readonly installedModel: (id: string) => ModelRef | undefined;
  readonly limits: ImageLimits;
}

export function createModelWork(deps: ModelWorkDeps): ModelWork {
  const { database, jobs, runner, limits, trainer, installedModel, disk } = deps;
  const { models, versions, features, quota } = deps.store;
  const { datasets, images, blobs, useTrainingSet } = deps.datasets;
  const starting = { database, jobs, models, versions, datasets, quota };
  return {
    startRun: createStartRun(starting),
    startComparison: createStartComparison(starting),
    reports: createReports({
      models,
      versions,
      datasets,
      readImages: createReadReportImages({ images, blobs, runner, limits }),
    }),
    kinds: [
      createTrainModel({
        models,
        versions,
        features,
        datasets,
        useTrainingSet,
        limits,
        disk,
        train: (job, options) =>
          job.kind === 'classification' ? trainer.train(job, options) : trainer.train(job, options),
        backboneOf: (task) => installedModel(trainingModels[task]),
        classifier: () => installedModel(trainingModels.secondLook),
      }),
      createCompareVersions({ models, versions, useTrainingSet, runner, limits }),
    ],
  };
}
