import type { Label, ModelRef } from '../../catalog/manifest.js';
import { EngineError } from '../../errors.js';
import type { LoadedModel, Task, TaskContext } from '../task.js';
import { calibrate, uncalibrate } from './calibrate.js';
import type { DetectResult } from './detections.js';
import { type Candidate, fuseBoxes } from './fuse.js';
import { fusionFor } from './fusions.js';
import { runDetector } from './run-detector.js';
import { suppressOverlaps } from './suppress.js';

export interface DetectOptions {
  /** One model answers by itself; several, of the same labels, are joined by weighted boxes fusion. */
  readonly models: readonly ModelRef[];
  /** Calibrated score, 0 to 1, from which a detection is answered. */
  readonly minScore: number;
  /** Intersection over union, 0 to 1, above which the lesser of two boxes of one class is dropped. */
  readonly nmsIou: number;
}

/** Best first; what lies beyond is noise, and an answer needs a bound. COCO's protocol looks at 100. */
const maxDetections = 100;
/** Own scores below this are never looked at: thousands of anchors there, and no image is answered better. */
const scoreFloor = 0.01;

/** Labelled boxes of one detector, or of several joined. */
export const detect: Task<'detect', DetectOptions, DetectResult> = {
  name: 'detect',
  detailPx: () => 1024,
  rasters: ({ models }) => models.length,
  async run(context, options) {
    const models: LoadedModel[] = [];
    for (const ref of options.models) models.push(await context.load(ref));
    const [first] = models;
    if (!first) throw new EngineError('internal', 'detect needs a model');
    const { candidates, calibration } =
      models.length === 1 ? await detectAlone(context, first, options) : await detectJointly(context, models);

    const shown = candidates
      .map((candidate) => ({ ...candidate, score: calibrate(calibration, candidate.score) }))
      .filter(({ score }) => score >= options.minScore);
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
  { image }: TaskContext,
  model: LoadedModel,
  options: DetectOptions,
): Promise<Scored> {
  const { calibration } = model.manifest;
  const minScore = Math.max(scoreFloor, uncalibrate(calibration, options.minScore));
  const candidates = await runDetector(model, image, { minScore, nmsIou: options.nmsIou });
  return { candidates: candidates.sort((a, b) => b.score - a.score), calibration };
}

async function detectJointly(
  { image, signal }: TaskContext,
  models: readonly LoadedModel[],
): Promise<Scored> {
  const fusion = fusionFor(models.map(({ ref }) => ref.id));
  const byModel: Candidate[][] = [];
  for (const model of models) {
    signal.throwIfAborted();
    byModel.push(await runDetector(model, image, { minScore: fusion.minScore, nmsIou: fusion.nmsIou }));
  }
  return { candidates: fuseBoxes(byModel, fusion.minIou), calibration: fusion.calibration };
}

function labelOf(model: LoadedModel, classIndex: number): Label {
  const label = model.manifest.labels[classIndex];
  if (!label) throw new EngineError('model-missing', `model ${model.ref.id} has no label ${classIndex}`);
  return label;
}
