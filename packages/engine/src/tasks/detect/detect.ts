import type { Calibration, Label, ModelRef } from '../../catalog/manifest.js';
import { EngineError } from '../../errors.js';
import type { LoadedModel, Task, TaskContext } from '../task.js';
import type { DetectResult } from './detections.js';
import { type Candidate, fuseBoxes } from './fuse.js';
import { type DetectionDetail, runDetector, suppressOverlaps } from './run-detector.js';
import { weakenSecondLabels } from './second-labels.js';

/** How the boxes of several detectors are fused. */
interface Fusion {
  /** Own score from which a model's box is included. */
  readonly minScore: number;
  /** Suppression within each model before fusion. */
  readonly nmsIou: number;
  /** IoU above which boxes count as one object. */
  readonly minIou: number;
  readonly calibration: Calibration | undefined;
}

/** Chosen on labelled photographs by `npm run bench -- accuracy`; all settings near these are within the noise. */
const uncalibrated: Fusion = { minScore: 0.05, nmsIou: 0.6, minIou: 0.6, calibration: undefined };

/**
 * Fusions with a measured calibration, by the ids of their models in order. The score with the best F1 is shown as 0.4. The rest is
 * a logistic curve through that point (Platt 1999), its slope fitted to the half `tune` of labelled photographs, so that of boxes
 * with a score of .8 about four in five are right (`npm run bench -- reliability`).
 */
const fusions: Readonly<Record<string, Fusion>> = {
  'coco-ssd+centernet-coco': {
    ...uncalibrated,
    calibration: {
      version: 'coco-ssd+centernet-coco/2',
      points: [
        [0, 0],
        [0.044, 0.004],
        [0.088, 0.037],
        [0.131, 0.156],
        [0.153, 0.264],
        [0.175, 0.4],
        [0.244, 0.547],
        [0.3125, 0.684],
        [0.38, 0.795],
        [0.45, 0.875],
        [0.52, 0.929],
        [0.5875, 0.962],
        [0.725, 0.992],
        [1, 1],
      ],
    },
  },
};

export interface DetectOptions {
  /** The boxes of several models, with the same labels, are joined by weighted boxes fusion. */
  readonly models: readonly ModelRef[];
  /** Minimum calibrated score of a returned detection, 0 to 1. */
  readonly minScore: number;
  /** Intersection over union, 0 to 1, above which the lesser of two boxes of one class is dropped. */
  readonly nmsIou: number;
  /** Whether large images are looked at in slices as well; `normal` unless given. */
  readonly detail?: DetectionDetail;
  /**
   * Whether an object has one label only: of two classes on one box the lesser is weakened, whatever `nmsIou` is. Unless given, true for
   * the classes of COCO and false for others, of which an object may have several.
   */
  readonly oneLabel?: boolean;
}

/** Best first; the rest is noise, and an answer needs a bound. COCO's protocol evaluates 100. */
const maxDetections = 100;
/** Of an image that is looked at in slices: beyond, memory would grow, and the bounded number of slices see no more. */
const highDetailPx = 4096;
/** Own scores below this are ignored: thousands of anchors have them, and no result improves. */
const scoreFloor = 0.01;

/** Labelled boxes of one detector, or of several fused ones. */
export const detect: Task<'detect', DetectOptions, DetectResult> = {
  name: 'detect',
  detailPx: ({ detail = 'normal' }) => (detail === 'normal' ? 1024 : highDetailPx),
  rasters: ({ models, detail = 'normal' }) =>
    detail === 'normal' ? models.length : Number.POSITIVE_INFINITY,
  async run(context, options) {
    const models: LoadedModel[] = [];
    for (const ref of options.models) models.push(await context.load(ref));
    const [first] = models;
    if (!first) throw new EngineError('internal', 'detect needs a model');
    const { candidates, calibration } =
      models.length === 1
        ? await detectAlone(context, first, options)
        : await detectJointly(context, models, options);

    const calibrated = candidates.map((candidate) => ({
      ...candidate,
      score: calibrate(calibration, candidate.score),
    }));
    const { oneLabel = areOfCoco(first.manifest.labels) } = options;
    const scored = oneLabel ? weakenSecondLabels(calibrated) : calibrated;
    const shown = scored.filter(({ score }) => score >= options.minScore);
    return {
      calibration: calibration?.version ?? null,
      detections: suppressOverlaps(shown, options.nmsIou)
        .slice(0, maxDetections)
        .map(({ classIndex, score, box }) => ({ label: labelOf(first, classIndex), score, box })),
    };
  },
};

interface Scored {
  readonly candidates: readonly Candidate[];
  readonly calibration: LoadedModel['manifest']['calibration'];
}

async function detectAlone(
  { image, signal }: TaskContext,
  model: LoadedModel,
  options: DetectOptions,
): Promise<Scored> {
  const { calibration } = model.manifest;
  const minScore = Math.max(scoreFloor, uncalibrate(calibration, options.minScore));
  const { nmsIou, detail = 'normal' } = options;
  const candidates = await runDetector(model, image, { minScore, nmsIou, detail, signal });
  return { candidates: candidates.sort((a, b) => b.score - a.score), calibration };
}

async function detectJointly(
  { image, signal }: TaskContext,
  models: readonly LoadedModel[],
  { detail = 'normal' }: DetectOptions,
): Promise<Scored> {
  const fusion = fusionFor(models.map(({ ref }) => ref.id));
  const byModel: Candidate[][] = [];
  for (const model of models) {
    signal.throwIfAborted();
    const { minScore, nmsIou } = fusion;
    byModel.push(await runDetector(model, image, { minScore, nmsIou, detail, signal }));
  }
  return { candidates: fuseBoxes(byModel, fusion.minIou), calibration: fusion.calibration };
}

/** The labels of every shipped detector. */
function areOfCoco(labels: readonly Label[]): boolean {
  return labels.length > 0 && labels.every(({ id }) => id.startsWith('coco:'));
}

function labelOf(model: LoadedModel, classIndex: number): Label {
  const label = model.manifest.labels[classIndex];
  if (!label) throw new EngineError('model-missing', `model ${model.ref.id} has no label ${classIndex}`);
  return label;
}

/** Maps a model's own score to the calibrated one. */
export function calibrate(calibration: Calibration | undefined, score: number): number {
  return calibration ? interpolate(calibration.points, score, 0, 1) : score;
}

/** The inverse: the own score that maps to `score`, for passing a caller's threshold to a graph. */
export function uncalibrate(calibration: Calibration | undefined, score: number): number {
  return calibration ? interpolate(calibration.points, score, 1, 0) : score;
}

function interpolate(points: Calibration['points'], value: number, from: 0 | 1, to: 0 | 1): number {
  let lower = points[0];
  for (const upper of points) {
    if (lower && value <= upper[from]) {
      const span = upper[from] - lower[from];
      return span > 0 ? lower[to] + ((value - lower[from]) / span) * (upper[to] - lower[to]) : upper[to];
    }
    lower = upper;
  }
  return lower?.[to] ?? value;
}

function fusionFor(modelIds: readonly string[]): Fusion {
  return fusions[modelIds.join('+')] ?? uncalibrated;
}
