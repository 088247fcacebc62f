import { rm } from 'node:fs/promises';
import type {
  ClassifierReport,
  DetectorReport,
  ImageLimits,
  ModelRef,
  TrainingJob,
  TrainingProgress,
  TrainOptions,
} from '@lynceus/engine';
import { Value } from 'typebox/value';
import { ServiceError } from '../../../core/service-error.js';
import {
  type Job,
  type JobControl,
  JobFailure,
  type JobKind,
  type JobProgress,
} from '../../../service/jobs/job.js';
import { createTimeLeft } from '../../../service/jobs/time-left.js';
import type { DiskGuard } from '../../../storage/disk-guard.js';
import type { Datasets } from '../../datasets/datasets.js';
import type { TrainingSet, UseTrainingSet } from '../../datasets/training-set.js';
import type { FeatureFolders } from '../feature-folders.js';
import { trainModelKind } from '../job-kinds.js';
import type { ModelTask, VersionHead, Versions } from '../model.js';
import type { Models } from '../models.js';
import { asTrainingReport, type TrainingReport } from '../reports/training-report.js';
import { modelMissing, toRunFailure } from './training-failure.js';
import { TrainingRequest } from './training-request.js';

interface TrainingLocation {
  readonly title: string;
  readonly backbone: ModelRef;
  readonly limits: ImageLimits;
  readonly cacheDir: string;
  readonly outDir: string;
}

const keptStage = 'features';

/** Writes the job's `outDir` and answers its report; throws `TrainingError`. */
export type Train = (
  job: TrainingJob,
  options: TrainOptions,
) => Promise<{ readonly report: ClassifierReport | DetectorReport }>;

interface TrainModelDeps {
  readonly models: Pick<Models, 'read'>;
  readonly versions: Pick<Versions, 'draft' | 'add' | 'list' | 'report'>;
  readonly features: Pick<FeatureFolders, 'use' | 'bytes' | 'sweep'>;
  readonly datasets: Pick<Datasets, 'read'>;
  readonly useTrainingSet: UseTrainingSet;
  readonly train: Train;
  /** The installed model on which one of a task is built; undefined where it is not installed. */
  readonly backboneOf: (task: ModelTask) => ModelRef | undefined;
  /** What looks again at the boxes of a detector; undefined where it is not installed. */
  readonly classifier: () => ModelRef | undefined;
  readonly limits: ImageLimits;
  readonly disk: Pick<DiskGuard, 'require'>;
}

const maxAttempts = 3;
/** Versions among which that of a run is looked for which was cut short behind its last step. */
const newestVersions = 20;
/** Of one image, kept for the next training. */
const featureBytes: Readonly<Record<ModelTask, number>> = {
  classification: 8_500,
  object_detection: 1_000_000,
};
/** Of what a training writes, at most: a graph with its backbone, and the report. */
const modelBytes = 150_000_000;

/**
 * Trains a model on a dataset, in a process of its own: a version comes of it. Restarted, it goes through the features of
 * images that were kept.
 */
export function createTrainModel(deps: TrainModelDeps): JobKind {
  const { models, versions, features, datasets, useTrainingSet, train, backboneOf, limits, disk } = deps;

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
    const isNewProgress = progressSinceLastAttempt(job.progress);
    const timeLeft = createTimeLeft(() => performance.now());
    const { report } = await useTrainingSet(accountId, dataset.id, async (set) => {
      const unkept = set.images.length * featureBytes[model.task] - (await features.bytes(dataset.uid));
      await disk.require(modelBytes + Math.max(0, unkept));
      const location = {
        backbone,
        limits,
        title: model.name,
        cacheDir: await features.use(dataset.uid),
        outDir: draft,
      };
      return train(toTrainingJob(set, wanted, location, deps.classifier()), {
        signal: control.signal,
        onProgress: (progress) => {
          const { stage, done, total } = progress;
          const secondsLeft = timeLeft(progress) ?? null;
          control.progress({ stage, done, total, secondsLeft }, isNewProgress(progress));
        },
      });
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
      fence: control.fence,
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
      // A model that was deleted meanwhile took the features of its dataset with it, and its training made them again. Should a process of
      // the run write while it ends, the sweep of every hour finds them.
      await features.sweep().catch(() => undefined);
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

  return { kind: trainModelKind, role: 'training', maxAttempts, concurrency: 1, run };
}

/**
 * What of a training's progress is new. An image whose features were kept by an earlier attempt is reported as kept again, and
 * would else give a training that always ends at one point all its attempts for ever.
 */
function progressSinceLastAttempt({ stage, done }: JobProgress): (progress: TrainingProgress) => boolean {
  const before = stage === null ? 0 : stage === keptStage ? done : Number.POSITIVE_INFINITY;
  return (progress) => progress.isKept && progress.stage === keptStage && progress.done > before;
}

/** What a job of a run tells its owner: the version, and how good it is on images that it has not seen. */
function toRunResult(version: number, isActivated: boolean, report: TrainingReport | null) {
  return { version, activated: isActivated, figures: report === null ? null : headline(report) };
}

function headline(report: TrainingReport) {
  if (report.kind === 'object_detection') {
    const { overall, measuredOn, measuredWith } = report;
    return { measured_on: measuredWith, images: measuredOn.images, ...overall };
  }
  const { accuracy, balancedAccuracy, images } = report.figures;
  return {
    measured_on: report.measuredOn,
    images,
    accuracy,
    balanced_accuracy: balancedAccuracy,
  };
}

/** The run as the engine gets it. */
export function toTrainingJob(
  set: TrainingSet,
  { noneOfThese, secondLook = true, seed }: TrainingRequest,
  location: TrainingLocation,
  classifier: ModelRef | undefined,
): TrainingJob {
  const { labels } = set;
  return set.kind === 'classification'
    ? {
        ...location,
        labels,
        seed,
        kind: set.kind,
        multiLabel: set.multiLabel,
        noneOfThese,
        images: set.images,
      }
    : {
        ...location,
        labels,
        seed,
        kind: set.kind,
        images: set.images,
        ...(secondLook && classifier && { classifier }),
      };
}
