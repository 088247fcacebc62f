import type { Measured } from '../catalog/entry.js';
import type { Calibration } from '../catalog/manifest.js';
import {
  averagePrecision,
  type EvaluatedImage,
  judge,
  workingPoint,
} from '../evaluation/average-precision.js';
import { wilsonInterval } from '../training/classifier/measure.js';
import { fitScoreLine, logit, type ScoreLine } from '../training/detector/score-line.js';
import { calibrationError, halvesOf } from './halves.js';

export interface LabelledDetections extends EvaluatedImage {
  /** Tells the half; the path, say. */
  readonly name: string;
}

/** The threshold of clients. */
const shownThreshold = 0.4;
/** Own scores are kept from the ends, where their logit has no bound. */
const margin = 1e-4;
/** Displayed scores at which the curve has a point; it is straight between them. */
const displayed = [0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98];

/**
 * Fits the displayed scores of a detector to labelled images, as those of trained ones are: a logistic curve (Platt 1999) that puts
 * the best F1 at 0.4. Figures are of a curve that was fitted to one half of the images and measured on the other; the answered curve is
 * fitted to all.
 * @param images With all detections from the least score on, suppressed as clients have them; own scores, 0 to 1.
 * @throws RangeError where a half has no labelled box, or the detector finds none.
 */
export function fitDetectorScores(
  images: readonly LabelledDetections[],
  classCount: number,
): { readonly calibration: Calibration; readonly measured: readonly Measured[] } {
  const { fitted, measured } = halvesOf(images);
  for (const half of [fitted, measured]) {
    if (!judge(half, classCount).classes.some(({ judged }) => judged.some(({ hits }) => hits[0]))) {
      throw new RangeError('the model finds none of the labelled boxes in half of the images');
    }
  }
  const how = `on ${measured.length} of ${images.length} images of the operator, which the curve of this figure was not fitted to`;
  const curve = curveOf(lineOf(fitted, classCount));
  const after = figuresOf(measured, classCount, (score) => onCurve(curve, score));
  const before = figuresOf(measured, classCount, (score) => score);
  const { ap50 } = averagePrecision(judge(images, classCount));
  return {
    calibration: { version: `operator/${images.length}`, points: curveOf(lineOf(images, classCount)) },
    measured: [
      { figure: 'AP50', value: ap50.toFixed(3), how: `on all ${images.length} images of the operator` },
      ...(['precision', 'recall'] as const).map((name) => ({
        figure: `${name} at a score of 0.4`,
        value: `${after[name]}, before calibration ${before[name]}`,
        how,
      })),
      {
        figure: 'expected calibration error of boxes above 0.05',
        value: `${after.error.toFixed(3)}, before calibration ${before.error.toFixed(3)}`,
        how,
      },
    ],
  };
}

function lineOf(images: readonly LabelledDetections[], classCount: number): ScoreLine {
  const { classes } = judge(images, classCount);
  const scores = classes.flatMap((one) =>
    one.judged.map(({ score, hits }) => ({
      score: logit(inside(score)),
      isRight: hits[0] === true,
      weight: 1,
    })),
  );
  return fitScoreLine({ scores, truths: images.reduce((sum, image) => sum + image.truths.length, 0) });
}

const inside = (score: number) => Math.min(Math.max(score, margin), 1 - margin);

function curveOf({ slope, shift }: ScoreLine): Calibration['points'] {
  const points: Calibration['points'] = [[0, 0]];
  for (const shown of displayed) {
    const own = Number((1 / (1 + Math.exp((shift - logit(shown)) / slope))).toFixed(4));
    if (own > (points.at(-1)?.[0] ?? 0) && own < 1) points.push([own, shown]);
  }
  return [...points, [1, 1]];
}

/** Linear between the points. */
function onCurve(points: Calibration['points'], score: number): number {
  const above = points.findIndex(([own]) => own >= score);
  const [high, low] = [points[above], points[above - 1]];
  if (!high || !low) return score;
  return low[1] + ((score - low[0]) / (high[0] - low[0])) * (high[1] - low[1]);
}

function figuresOf(
  images: readonly LabelledDetections[],
  classCount: number,
  shown: (score: number) => number,
) {
  const judgement = judge(
    images.map(({ truths, detections }) => ({
      truths,
      detections: detections.map((each) => ({ ...each, score: shown(each.score) })),
    })),
    classCount,
  );
  const answers = judgement.classes.flatMap(({ judged }) =>
    judged.map(({ score, hits }) => ({ score, isRight: hits[0] === true })),
  );
  const boxes = answers.filter(({ score }) => score >= shownThreshold);
  const { precision, recall } = workingPoint(judgement, shownThreshold);
  const truths = images.reduce((sum, image) => sum + image.truths.length, 0);
  const right = boxes.filter(({ isRight }) => isRight).length;
  return {
    precision: withInterval(precision, right, boxes.length),
    recall: withInterval(recall, right, truths),
    error: calibrationError(answers.filter(({ score }) => score >= 0.05)),
  };
}

function withInterval(share: number, right: number, of: number): string {
  const { low, high } = wilsonInterval(right, of);
  return `${share.toFixed(2)} (95 % interval ${low.toFixed(2)} to ${high.toFixed(2)})`;
}
