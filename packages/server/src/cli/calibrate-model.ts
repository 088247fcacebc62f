import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Analysis,
  createProcessRunner,
  type FittedCalibration,
  fitDetectorScores,
  fitTemperature,
  type LabelledDetections,
  type LabelledProbabilities,
  type ModelManifest,
  type ModelRef,
  type TaskCall,
} from '@lynceus/engine';
import { forEachLimited } from '../core/for-each-limited.js';
import { processLimits } from '../core/process-limits.js';
import type { Settings } from '../core/settings.js';
import type { PlannedImage, PlannedLabel } from '../training/datasets/formats/plan.js';
import { placeBox } from '../training/datasets/import/place-box.js';
import { startTreeProcess } from '../training/datasets/import/tree-process.js';

export interface Calibrating {
  readonly ref: ModelRef;
  readonly manifest: ModelManifest;
  /** Of labelled images, in a format of datasets. */
  readonly folder: string;
  readonly settings: Pick<
    Settings,
    'requestTimeoutMs' | 'inferenceMaxMemoryMb' | 'decodeMaxCpuMs' | 'maxPixels' | 'inferenceProcesses'
  >;
  readonly note: (text: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Fewer say too little of scores: a half of them is fitted to, and the other measured. */
const least = { images: 20, labels: 40 };
/** As clients suppress overlaps. */
const nmsIou = 0.45;
const plannedAtOnce = 200;

/** Fits the scores of a model to labelled images. Throws where there are too few, or their classes are not the model's. */
export async function calibrateModel(calibrating: Calibrating): Promise<FittedCalibration> {
  const { manifest, ref, note } = calibrating;
  const images = await readPlan(calibrating);
  const classes = new Map(manifest.labels.map(({ title }, index) => [fold(title), index]));
  const isDetector = manifest.family === 'detector';
  const usable = images.flatMap((image) => usableImage(image, classes, isDetector) ?? []);
  // Before any is looked at, and again without those that cannot be.
  const labels = checkEnough(usable, calibrating);
  note(`Calibrating with ${usable.length} of ${images.length} images, ${labels} labels`);
  if (!isDetector) {
    const task = { task: 'classify', options: { model: ref, topK: manifest.labels.length } } as const;
    const answers = await lookAtAll(calibrating, usable, task, toProbabilities(manifest));
    return fitTemperature(answers);
  }
  const task = { task: 'detect', options: { models: [ref], minScore: 0, nmsIou } } as const;
  // Objects of classes that the folder does not label are in the images too, and are neither right nor wrong.
  const judged = new Set(usable.flatMap((image) => image.labels.map(({ classIndex }) => classIndex)));
  const answers = await lookAtAll(calibrating, usable, task, toDetections(manifest, judged));
  return fitDetectorScores(answers, manifest.labels.length);
}

/** Throws with what is wrong where a folder of images cannot be read: before a model is downloaded and converted for it. */
export async function checkCalibrationFolder(folder: string): Promise<void> {
  await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${folder}: the folder cannot be read (${error.code})`, { cause: error });
  });
}

/** Counts their labels. Throws where there are too few images or boxes. */
function checkEnough(images: readonly UsableImage[], { manifest, folder }: Calibrating): number {
  const isDetector = manifest.family === 'detector';
  const labels = images.reduce((sum, image) => sum + image.labels.length, 0);
  const wanted = isDetector ? least.labels : least.images;
  if (images.length >= least.images && labels >= wanted) return labels;
  throw new Error(
    `calibration needs ${least.images} images${isDetector ? ` with ${least.labels} boxes` : ''} of classes that the model has; ` +
      `${folder} has ${images.length} with ${labels} labels`,
  );
}

interface UsableImage {
  readonly path: string;
  readonly labels: readonly { readonly label: PlannedLabel; readonly classIndex: number }[];
}

async function readPlan({ folder, signal, note }: Calibrating): Promise<readonly PlannedImage[]> {
  const tree = await startTreeProcess(signal ?? new AbortController().signal);
  try {
    const location = { kind: 'folder', path: folder } as const;
    const plan = await tree.ask({ ask: 'plan', location, format: null }).catch((error: unknown) => {
      throw new Error(`${folder}: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    });
    const findings = await tree.ask({ ask: 'findings', from: 0 });
    for (const { message, file } of findings.slice(0, 10)) note(file ? `${file}: ${message}` : message);
    const images: PlannedImage[] = [];
    while (images.length < plan.images) {
      images.push(...(await tree.ask({ ask: 'next', from: images.length, count: plannedAtOnce })));
    }
    return images;
  } finally {
    await tree.close();
  }
}

/** With its labels of classes that the model has; undefined where nothing says what it shows, or no class of the model. */
function usableImage(
  { path, labels, lost, isIncomplete }: PlannedImage,
  classes: ReadonlyMap<string, number>,
  isDetector: boolean,
): UsableImage | undefined {
  // What a detector sees where a label was lost would count as wrong.
  if (labels === null || lost > 0 || isIncomplete) return undefined;
  const known = labels.flatMap((label) => {
    const classIndex = classes.get(fold(label.className));
    return classIndex === undefined || (label.box === null) === isDetector ? [] : [{ classIndex, label }];
  });
  // An image without objects says where a detector sees some; of a classifier exactly one class is right.
  const isUsable = isDetector ? known.length > 0 || labels.length === 0 : known.length === 1;
  return isUsable ? { path, labels: known } : undefined;
}

type Answer = Pick<Analysis, 'results' | 'image'>;

/** Throws where too few of the images can be read. */
async function lookAtAll<T>(
  calibrating: Calibrating,
  images: readonly UsableImage[],
  task: TaskCall,
  toAnswer: (image: UsableImage, answer: Answer) => T | undefined,
): Promise<T[]> {
  const { folder, settings, signal, note } = calibrating;
  const processes = settings.inferenceProcesses || 2;
  const runner = createProcessRunner({
    processes,
    queueMax: 2 * processes,
    jobTimeoutMs: settings.requestTimeoutMs,
    ...processLimits(settings),
  });
  const seen: UsableImage[] = [];
  const answers: T[] = [];
  try {
    await runner.start();
    await forEachLimited(images, processes, async (image) => {
      signal?.throwIfAborted();
      const source = { kind: 'file', path: join(folder, image.path) } as const;
      const job = { source, limits: { maxPixels: settings.maxPixels }, tasks: [task] };
      const answer = await runner
        .analyse(job, { priority: 'batch', ...(signal && { signal }) })
        .catch((error) => {
          signal?.throwIfAborted();
          note(`${image.path} is left out: ${error instanceof Error ? error.message : String(error)}`);
        });
      const judged = answer && toAnswer(image, answer);
      if (judged === undefined) return;
      seen.push(image);
      answers.push(judged);
    });
    checkEnough(seen, calibrating);
    return answers;
  } finally {
    await runner.close();
  }
}

const toProbabilities =
  ({ labels }: ModelManifest) =>
  ({ path, labels: [label] }: UsableImage, { results }: Answer): LabelledProbabilities => {
    const scores = new Map(results.classify?.classes.map(({ label: { id }, score }) => [id, score]));
    return {
      name: path,
      probabilities: labels.map(({ id }) => scores.get(id) ?? 0),
      truth: label?.classIndex ?? 0,
    };
  };

const toDetections = ({ labels }: ModelManifest, judged: ReadonlySet<number>) => {
  const indexes = new Map(labels.map(({ id }, index) => [id, index]));
  return (
    { path, labels: truths }: UsableImage,
    { results, image: { width, height, orientation = 1 } }: Answer,
  ): LabelledDetections | undefined => {
    const placed = truths.flatMap(({ classIndex, label }) =>
      label.box ? [{ classIndex, ...placeBox(label.box, label, { width, height, orientation }) }] : [],
    );
    if (placed.some((each) => 'problem' in each)) return undefined;
    return {
      name: path,
      truths: placed.flatMap((each) =>
        'box' in each ? [{ classIndex: each.classIndex, box: each.box }] : [],
      ),
      detections: (results.detect?.detections ?? []).flatMap(({ label, score, box }) => {
        const classIndex = indexes.get(label.id);
        return classIndex === undefined || !judged.has(classIndex) ? [] : [{ classIndex, score, box }];
      }),
    };
  };
};

function fold(name: string): string {
  return name.trim().toLowerCase();
}
