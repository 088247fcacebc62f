import { rm } from 'node:fs/promises';
import type {
  ClassifierReport,
  DetectorReport,
  ImageLimits,
  ModelRef,
  TrainingJob,
  TrainOptions,
} from '@lynceus/engine';
import { Value } from 'typebox/value';
import type { Datasets } from '../../datasets/datasets.js';
import type { ReadTrainingSet } from '../../datasets/training-set.js';
import { ServiceError } from '../../errors/service-error.js';
import { type Job, type JobControl, JobFailure, type JobKind } from '../../jobs/job.js';
import type { DiskGuard } from '../../storage/disk-guard.js';
import type { FeatureFolders } from '../feature-folders.js';
import { trainModelKind } from '../job-kinds.js';
import type { ModelTask, VersionHead, Versions } from '../model.js';
import type { Models } from '../models.js';
import { asTrainingReport } from '../reports/training-report.js';
import { progressSinceLastAttempt } from './progress-since-last-attempt.js';
import { toRunResult } from './run-result.js';
import { createTimeLeft } from './time-left.js';
import { modelMissing, toRunFailure } from './training-failure.js';
import { toTrainingJob } from './training-job.js';
import { TrainingRequest } from './training-request.js';

/** Writes the job's `outDir` and answers its report; throws `TrainingError`. */
export type Train = (
  job: TrainingJob,
  options: TrainOptions,
) => Promise<{ readonly report: ClassifierReport | DetectorReport }>;

export interface TrainModelDeps {
  readonly models: Pick<Models, 'read'>;
  readonly versions: Pick<Versions, 'draft' | 'add' | 'list' | 'report'>;
  readonly features: Pick<FeatureFolders, 'use' | 'bytes' | 'sweep'>;
  readonly datasets: Pick<Datasets, 'read'>;
  readonly readTrainingSet: ReadTrainingSet;
  readonly train: Train;
  /** The installed model on which one of a task is built; undefined where it is not installed. */
  readonly backboneOf: (task: ModelTask) => ModelRef | undefined;
  readonly limits: ImageLimits;
  readonly disk: Pick<DiskGuard, 'require'>;
}

const maxAttempts = 3;
/** Versions among which that of a run is looked for which was cut short behind its last step. */
const newestVersions = 20;
/** Of one image, kept for the next training. */
const featureBytes: Readonly<Record<ModelTask, number>> = {
  classification: 8_500,
  object_detection: 700_000,
};
/** Of what a training writes, at most: a graph with its backbone, and the report. */
const modelBytes = 150_000_000;

/**
 * Trains a model on a dataset, in a process of its own: a version comes of it. Begun anew, it goes through the features of
 * images that were kept.
 */
export function createTrainModel(deps: TrainModelDeps): JobKind {
  const { models, versions, features, datasets, readTrainingSet, train, backboneOf, limits, disk } = deps;

  const madeBefore = async ({ accountId, id }: Job, modelId: number): Promise<VersionHead | undefined> => {
    const { items } = await versions.list(accountId, modelId, { limit: newestVersions, after: undefined });
    return items.find(({ jobId }) => jobId === id);
  };

  const trainVersion = async (job: Job, wanted: TrainingRequest, control: JobControl, draft: string) => {
    const { accountId } = job;
    const model = await models.read(accountId, Number(job.subject));
    const dataset = await datasets.read(accountId, wanted.datasetId);
    const backbone = backboneOf(model.task);
    if (!backbone) throw modelMissing();
    const set = await readTrainingSet(accountId, dataset.id);
    const unkept = set.images.length * featureBytes[model.task] - (await features.bytes(dataset.uid));
    await disk.require(modelBytes + Math.max(0, unkept));
    const location = {
      backbone,
      limits,
      title: model.name,
      cacheDir: await features.use(dataset.uid),
      outDir: draft,
    };
    const isNewProgress = progressSinceLastAttempt(job.progress);
    const timeLeft = createTimeLeft(() => performance.now());
    const { report } = await train(toTrainingJob(set, wanted, location), {
      signal: control.signal,
      onProgress: (progress) => {
        const { stage, done, total } = progress;
        const secondsLeft = timeLeft(progress) ?? null;
        control.progress({ stage, done, total, secondsLeft }, isNewProgress(progress));
      },
    });
    control.signal.throwIfAborted();
    const whole = { datasetId: dataset.id, ...report };
    const { number } = await versions.add(accountId, model.id, {
      origin: 'training',
      draft,
      report: whole,
      jobId: job.id,
      datasetId: dataset.id,
      isActivated: wanted.isActivated,
    });
    return toRunResult(number, wanted.isActivated, whole);
  };

  const run: JobKind['run'] = async (job, control) => {
    const wanted: unknown = job.payload;
    if (!Value.Check(TrainingRequest, wanted)) throw new JobFailure('the job was written by another version');
    const modelId = Number(job.subject);
    let draft: string | undefined;
    try {
      const made = await madeBefore(job, modelId);
      if (made) {
        const report = asTrainingReport(await versions.report(job.accountId, modelId, made.number));
        return toRunResult(made.number, wanted.isActivated, report);
      }
      draft = await versions.draft(job.accountId);
      return await trainVersion(job, wanted, control, draft);
    } catch (error) {
      if (draft !== undefined) await rm(draft, { recursive: true, force: true });
      // A model that was deleted meanwhile took the features of its dataset with it, and its training made them again.
      await features.sweep();
      control.signal.throwIfAborted();
      const failure = toRunFailure(error);
      // Without its dataset a training fails of one thing or another, and none of them is the reason.
      await datasets.read(job.accountId, wanted.datasetId).catch((gone: unknown) => {
        if (!(gone instanceof ServiceError) || gone.code !== 'not_found') throw failure;
        throw new JobFailure('the dataset was deleted meanwhile', { cause: failure });
      });
      throw failure;
    }
  };

  return { kind: trainModelKind, maxAttempts, concurrency: 1, run };
}
