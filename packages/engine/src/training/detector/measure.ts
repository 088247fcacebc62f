import type { Label } from '../../catalog/manifest.js';
import {
  averagePrecision,
  type EvaluatedImage,
  type Judgement,
  judge,
  workingPoint,
} from '../../evaluation/average-precision.js';
import type { Box } from '../../image/box.js';
import type { UnseenImage } from './cross-validate.js';
import type { DetectorFigures, DetectorReport } from './detector-report.js';
import type { Corners } from './overlap.js';
import type { ScoreLine } from './score-line.js';

/** The threshold of clients. */
export const shownThreshold = 0.4;

export interface MeasuredImage extends EvaluatedImage {
  readonly id: string;
}

/** Boxes in pixels, calibrated scores. */
export function measuredImage({ image, found }: UnseenImage, line: ScoreLine): MeasuredImage {
  const inPixels = ([xMin, yMin, xMax, yMax]: Corners): Box => ({
    xMin: xMin * image.width,
    yMin: yMin * image.height,
    xMax: xMax * image.width,
    yMax: yMax * image.height,
  });
  return {
    id: image.image.id,
    truths: image.truths.map(({ label, corners }) => ({ classIndex: label, box: inPixels(corners) })),
    detections: found.map(({ label, score, corners }) => ({
      classIndex: label,
      score: shownScore(score, line),
      box: inPixels(corners),
    })),
  };
}

export function shownScore(logit: number, { slope, shift }: ScoreLine): number {
  return 1 / (1 + Math.exp(-slope * logit - shift));
}

export interface Measured {
  readonly overall: DetectorFigures;
  readonly labels: DetectorReport['labels'];
  readonly calibration: DetectorReport['calibration'];
}

export function measure(images: readonly MeasuredImage[], labels: readonly Label[]): Measured {
  const judgement = judge(images, labels.length);
  return {
    overall: figuresOf(judgement),
    labels: labels.map(({ title }, index) => {
      const one = judgement.classes[index];
      const boxes = one?.truthsByImage.reduce((sum, count) => sum + count, 0) ?? 0;
      const figures = one && boxes > 0 ? figuresOf({ ...judgement, classes: [one] }) : null;
      return { label: title, boxes, figures };
    }),
    calibration: calibrationOf(judgement),
  };
}

export function ap50Of(images: readonly MeasuredImage[], labels: readonly Label[]): number {
  return finite(averagePrecision(judge(images, labels.length)).ap50);
}

function figuresOf(judgement: Judgement): DetectorFigures {
  const { ap, ap50 } = averagePrecision(judgement);
  return { ap50: finite(ap50), ap: finite(ap), ...workingPoint(judgement, shownThreshold) };
}

/** Without labelled boxes there is no precision. */
function finite(value: number): number {
  return Number.isFinite(value) ? value : 0;
}

const bins = 10;

function calibrationOf({ classes }: Judgement): DetectorReport['calibration'] {
  const judged = classes.flatMap((one) => one.judged);
  return Array.from({ length: bins }, (_, bin) => {
    const inside = judged.filter(({ score }) => Math.min(bins - 1, Math.floor(score * bins)) === bin);
    const share = (sum: number) => (inside.length > 0 ? sum / inside.length : 0);
    return {
      from: bin / bins,
      to: (bin + 1) / bins,
      boxes: inside.length,
      meanScore: share(inside.reduce((sum, { score }) => sum + score, 0)),
      rightShare: share(inside.filter(({ hits }) => hits[0]).length),
    };
  }).filter(({ boxes }) => boxes > 0);
}

/** Share of images that get a box from 0.4 on; null where there is none. */
export function falseShare(highest: readonly number[]): { images: number; share: number | null } {
  const wrong = highest.filter((score) => score >= shownThreshold).length;
  return { images: highest.length, share: highest.length > 0 ? wrong / highest.length : null };
}
