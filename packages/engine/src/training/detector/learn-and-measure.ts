import type { TrainingContext } from '../training-context.js';
import type { DetectorTraining } from '../training-job.js';
import type { BackgroundSample } from './backgrounds.js';
import { crossValidate, thin, type Unseen, type UnseenImage, type ValidationPlan } from './cross-validate.js';
import type { DetectorBackbone } from './cut-detector.js';
import type { DetectorReport } from './detector-report.js';
import type { ExtractedImage, ExtractedImages } from './extract-anchors.js';
import { findObjects } from './find-objects.js';
import type { FoldedHead } from './head.js';
import { ap50Of, falseShare, measure, measuredImage, shownScore } from './measure.js';
import { worstMistakes } from './mistakes.js';
import { cornersOverlap } from './overlap.js';
import { fitScoreLine, type JudgedScore, onLine, type ScoreLine } from './score-line.js';
import { trainHeads } from './train-heads.js';

const rightIou = 0.5;

interface Material extends ExtractedImages {
  /** Shipped ones. */
  readonly backgrounds: readonly BackgroundSample[];
}

export interface TrainedDetector {
  /** Their logits are used unchanged. */
  readonly heads: readonly FoldedHead[];
  readonly figures: Omit<DetectorReport, 'warnings' | 'seconds'>;
}

/** Minimum of held-out boxes to measure on; with fewer, all images are measured by cross-validation. */
const minHeldOutBoxes = 10;
/** Share of the images for the learning curve. */
const shares = [0.5];

/**
 * Cross-validation over the training images calibrates the scores; then heads are trained on all of them, and measured on the
 * held-out images, where there are enough. The heads that are returned are trained on the held-out images too.
 */
export function learnAndMeasure(
  backbone: DetectorBackbone,
  job: DetectorTraining,
  { images, backgrounds, refused }: Material,
  { onProgress }: TrainingContext,
): TrainedDetector {
  const labels = job.labels.length;
  const { seed } = job;
  const train = images.filter(({ image }) => image.split === 'train');
  const heldOut = images.filter(({ image }) => image.split === 'held-out');
  const isHeldOutEnough = countBoxes(heldOut) >= minHeldOutBoxes;
  const folds = foldsFor(train);
  const fits = folds + 1 + (heldOut.length > 0 ? 1 : 0) + shares.length * (isHeldOutEnough ? 1 : folds);
  let done = 0;
  const onStep = () => onProgress({ stage: 'training', done, total: fits * labels, isKept: false });
  const counted = (step: () => void) => () => {
    done = Math.min(done + 1 / stepsAFit, fits * labels - 1);
    step();
  };
  const stepsAFit = train.length * 4 + backgrounds.length * 3 + 100;
  const plan: ValidationPlan = {
    images: train,
    backgrounds,
    labels,
    seed,
    folds,
    share: 1,
    onStep: counted(onStep),
  };

  const unseen = folds > 1 ? crossValidate(backbone, plan) : ofNothing;
  const line = fitScoreLine(judgeScores(unseen), countBoxes(train));
  const raw = trainHeads(backbone, { ...plan, images: train });
  const last = heldOut.length > 0 ? trainHeads(backbone, { ...plan, images }) : raw;
  const look = (heads: readonly FoldedHead[], at: readonly ExtractedImage[]): UnseenImage[] =>
    at.map((image) => {
      plan.onStep();
      return { image, found: findObjects(backbone, heads, image.anchors()) };
    });
  const measured = isHeldOutEnough ? look(raw, heldOut) : unseen.images;
  const byImages = shares
    .filter((share) => Math.round(train.length * share) >= 4)
    .map((share) => {
      const some = thin(train, share);
      const part = isHeldOutEnough
        ? look(trainHeads(backbone, { ...plan, images: some }), heldOut)
        : crossValidate(backbone, { ...plan, share }).images;
      return { images: some.length, ap50: ap50Of(shown(part, line), job.labels) };
    });

  onProgress({ stage: 'measuring', done: 0, total: 1, isKept: false });
  const judged = shown(measured, line);
  const { overall, labels: byLabel, calibration } = measure(judged, job.labels);
  const empty = judged.filter(({ truths }) => truths.length === 0);
  return {
    heads: last.map((head) => onLine(line, head)),
    figures: {
      kind: 'object_detection',
      measuredWith: isHeldOutEnough ? 'held-out' : 'cross-validation',
      learntOf: {
        images: train.length,
        boxes: countBoxes(train),
        backgrounds: train.filter(({ truths }) => truths.length === 0).length,
        shippedBackgrounds: backgrounds.length,
      },
      lastFit: { images: images.length, boxes: countBoxes(images) },
      refused: [...refused],
      measuredOn: { images: judged.length, boxes: countBoxes(measured.map(({ image }) => image)) },
      overall,
      labels: byLabel,
      falseBoxes: {
        own: falseShare(empty.map(({ detections }) => detections[0]?.score ?? 0)),
        shipped: falseShare(unseen.backgrounds.map(({ highest }) => shownScore(highest, line))),
      },
      mistakes: worstMistakes(judged, job.labels),
      calibration,
      byImages: [...byImages, { images: train.length, ap50: overall.ap50 }],
    },
  };
}

const ofNothing: Unseen = { images: [], backgrounds: [] };

/** More folds where images are few. A single image cannot be cross-validated. */
function foldsFor(train: readonly ExtractedImage[]): number {
  const showing = train.filter(({ truths }) => truths.length > 0).length;
  return Math.min(showing, showing <= 100 ? 4 : 3);
}

function shown(images: readonly UnseenImage[], line: ScoreLine) {
  return images.map((image) => measuredImage(image, line));
}

function countBoxes(images: readonly ExtractedImage[]): number {
  return images.reduce((sum, { truths }) => sum + truths.length, 0);
}

/**
 * Whether detections in unseen images are correct, each labelled box matched once, best first. Shipped backgrounds, by their
 * weights, count as much as all images with boxes: half of a detector's input is assumed to show none of its labels.
 */
function judgeScores({ images, backgrounds }: Unseen): JudgedScore[] {
  const judged: JudgedScore[] = [];
  for (const { image, found } of images) {
    const taken = new Set<number>();
    for (const { label, score, corners } of found) {
      let best = -1;
      let most = 0;
      image.truths.forEach((truth, index) => {
        const shared = cornersOverlap(corners, truth.corners);
        if (truth.label === label && !taken.has(index) && shared > most) [best, most] = [index, shared];
      });
      const isRight = most >= rightIou;
      if (isRight) taken.add(best);
      judged.push({ score, isRight, weight: 1 });
    }
  }
  const showing = images.filter(({ image }) => image.truths.length > 0).length;
  const total = backgrounds.reduce((sum, { weight }) => sum + weight, 0);
  for (const { highest, weight } of backgrounds)
    judged.push({ score: highest, isRight: false, weight: (weight * showing) / total });
  return judged;
}
