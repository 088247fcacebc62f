import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Label, ModelManifest, seededRandom } from '@lynceus/engine';
import { Value } from 'typebox/value';
import { ServiceError } from '../../../core/service-error.js';
import { type Job, type JobControl, JobFailure, type JobKind } from '../../../service/jobs/job.js';
import type { TrainingSet, UseTrainingSet } from '../../datasets/training-set.js';
import { compareVersionsKind } from '../job-kinds.js';
import type { Model, Versions } from '../model.js';
import type { Models } from '../models.js';
import { asTrainingReport } from '../reports/training-report.js';
import { type AskDeps, type AskedVersion, type Asking, askClassifier, askDetector } from './ask-version.js';
import { type AnsweredImage, compareClassifiers } from './compare-classifiers.js';
import { compareDetectors } from './compare-detectors.js';
import { notesOn } from './comparison-notes.js';
import { ComparisonRequest } from './comparison-request.js';
import { matchLabels } from './match-labels.js';

interface CompareVersionsDeps extends AskDeps {
  readonly models: Pick<Models, 'read'>;
  readonly versions: Pick<Versions, 'read' | 'hold' | 'ref' | 'report'>;
  readonly useTrainingSet: UseTrainingSet;
}

/** More say little that these do not. */
const maxImages = 2000;
const maxAttempts = 3;

/** Asks two versions of a model about the same held-out images. */
export function createCompareVersions(deps: CompareVersionsDeps): JobKind {
  const { models, useTrainingSet } = deps;

  const compare = (job: Job, wanted: ComparisonRequest, control: JobControl) =>
    useTrainingSet(job.accountId, wanted.datasetId, (set) => compareOn(set, job, wanted, control));

  const compareOn = async (
    set: TrainingSet,
    job: Job,
    { first, second, datasetId }: ComparisonRequest,
    control: JobControl,
  ) => {
    const model = await models.read(job.accountId, Number(job.subject));
    if (set.kind !== model.task) throw new JobFailure(`dataset ${datasetId} is not for ${model.task}`);
    const asked = [
      await openVersion(deps, job.accountId, model, first, set.labels),
      await openVersion(deps, job.accountId, model, second, set.labels),
    ] as const;
    const measured =
      set.kind === 'classification'
        ? await measureClassifiers(deps, asked, set, { ...control, accountId: job.accountId })
        : await measureDetectors(deps, asked, set, { ...control, accountId: job.accountId });
    const { figures, images, ...rest } = measured;
    const notes: string[] = [];
    for (const number of [first, second]) {
      const report = asTrainingReport(await deps.versions.report(job.accountId, model.id, number));
      notes.push(...notesOn(number, report, datasetId));
    }
    return {
      task: model.task,
      dataset_id: datasetId,
      images,
      versions: [first, second].map((number, index) => ({
        number,
        ...figures[index],
        missing_classes: asked[index]?.match.missing ?? [],
      })),
      ...rest,
      notes,
    };
  };

  const run: JobKind['run'] = async (job, control) => {
    const wanted: unknown = job.payload;
    if (!Value.Check(ComparisonRequest, wanted))
      throw new JobFailure('the job was written by another version');
    try {
      return await compare(job, wanted, control);
    } catch (error) {
      control.signal.throwIfAborted();
      if (error instanceof JobFailure) throw error;
      if (error instanceof ServiceError && error.code !== 'conflict')
        throw new JobFailure(error.message, { cause: error });
      throw new Error('the service failed at it, and its log says why', { cause: error });
    }
  };
  return { kind: compareVersionsKind, role: 'training', maxAttempts, concurrency: 1, run };
}

async function openVersion(
  { versions }: CompareVersionsDeps,
  accountId: number,
  model: Model,
  number: number,
  ofDataset: readonly Label[],
): Promise<AskedVersion> {
  const version = await versions.read(accountId, model.id, number);
  const { path: dir, release } = await versions.hold(version);
  const text = await readFile(join(dir, 'manifest.json'), 'utf8').finally(release);
  const manifest = Value.Parse(ModelManifest, JSON.parse(text));
  return {
    ref: versions.ref(model, version),
    oneLabel: version.oneLabel,
    labels: manifest.labels,
    thresholds: manifest.thresholds,
    match: matchLabels(manifest.labels, ofDataset),
  };
}

type Asked = readonly [AskedVersion, AskedVersion];

async function measureClassifiers(
  deps: AskDeps,
  [first, second]: Asked,
  set: TrainingSet & { readonly kind: 'classification' },
  control: JobControl & Asking,
) {
  const answered: AnsweredImage[] = [];
  const held = heldOut(set.images);
  for (const [index, { id, path, labels }] of held.entries()) {
    control.signal.throwIfAborted();
    control.progress({ stage: 'comparing', done: index, total: held.length });
    const one = await askClassifier(deps, first, path, control);
    const two = one && (await askClassifier(deps, second, path, control));
    if (one && two) answered.push({ id: Number(id), shown: labels, answered: [one, two] });
  }
  requireSome(answered);
  const titles = set.labels.map(({ title }) => title);
  return { images: answered.length, ...compareClassifiers(answered, titles) };
}

async function measureDetectors(
  deps: AskDeps,
  [first, second]: Asked,
  set: TrainingSet & { readonly kind: 'object_detection' },
  control: JobControl & Asking,
) {
  type Boxes = NonNullable<Awaited<ReturnType<typeof askDetector>>>;
  const answered: {
    readonly truths: { classIndex: number; box: Boxes[number]['box'] }[];
    one: Boxes;
    two: Boxes;
  }[] = [];
  const held = heldOut(set.images);
  for (const [index, { path, boxes }] of held.entries()) {
    control.signal.throwIfAborted();
    control.progress({ stage: 'comparing', done: index, total: held.length });
    const one = await askDetector(deps, first, path, control);
    const two = one && (await askDetector(deps, second, path, control));
    if (!one || !two) continue;
    answered.push({ truths: boxes.map(({ label, box }) => ({ classIndex: label, box })), one, two });
  }
  requireSome(answered);
  const compared = await compareDetectors(
    answered.map(({ truths, one }) => ({ truths, detections: one })),
    answered.map(({ truths, two }) => ({ truths, detections: two })),
    set.labels.length,
    seededRandom(1),
  );
  const boxes = answered.reduce((sum, { truths }) => sum + truths.length, 0);
  return { images: answered.length, boxes, ...compared };
}

/** Chosen deterministically. An image that lacks labels cannot say what is wrong. */
function heldOut<Image extends TrainingSet['images'][number]>(images: readonly Image[]): readonly Image[] {
  return images
    .filter(({ split, isPartlyLabelled }) => split === 'held-out' && !isPartlyLabelled)
    .sort((a, b) => (a.sha256 < b.sha256 ? -1 : 1))
    .slice(0, maxImages);
}

function requireSome(answered: readonly unknown[]): void {
  if (answered.length > 0) return;
  throw new JobFailure(
    'the dataset holds out no image that can be analysed: add images, complete the labels of those that lost some, or split it again',
  );
}
