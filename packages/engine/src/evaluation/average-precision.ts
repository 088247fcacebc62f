import { type Box, boxArea, boxIou } from '../image/box.js';

/** One image's labelled boxes and a detector's answers. */
export interface EvaluatedImage {
  readonly truths: readonly { readonly classIndex: number; readonly box: Box }[];
  /** Best first. */
  readonly detections: readonly { readonly classIndex: number; readonly score: number; readonly box: Box }[];
}

/** A detection with the IoU thresholds at which it found a labelled box. */
interface Judged {
  readonly image: number;
  readonly score: number;
  /** Null where it is ignored: what it found, or it itself, is not of the size that is evaluated. */
  readonly hits: readonly (boolean | null)[];
}

/** Areas of boxes in pixels, from `min` up to and without `max`. */
interface AreaRange {
  readonly min: number;
  readonly max: number;
}

/** COCO's sizes of objects. */
export const areaRanges = {
  small: { min: 0, max: 32 ** 2 },
  medium: { min: 32 ** 2, max: 96 ** 2 },
  large: { min: 96 ** 2, max: Number.POSITIVE_INFINITY },
} as const satisfies Record<string, AreaRange>;

const everyArea: AreaRange = { min: 0, max: Number.POSITIVE_INFINITY };

/** Detections judged once, so that AP can be computed for any weighting of the images. */
export interface Judgement {
  readonly images: number;
  /** By class: judged detections best first, and labelled boxes an image. */
  readonly classes: readonly {
    readonly judged: readonly Judged[];
    readonly truthsByImage: readonly number[];
  }[];
}

/** COCO's thresholds: 0.50 to 0.95 by 0.05. */
const iouThresholds = Array.from({ length: 10 }, (_, index) => 0.5 + 0.05 * index);

/**
 * Matches detections to labelled boxes by COCO's protocol (Lin et al. 2014; cocodataset.org/#detection-eval): at
 * each IoU threshold by itself, best score first, each labelled box taken once, at most 100 detections an image. With a range,
 * labelled boxes of other areas are ignored, with what finds them, and so are detections of other areas that find nothing.
 */
export function judge(
  images: readonly EvaluatedImage[],
  classCount: number,
  range: AreaRange = everyArea,
): Judgement {
  const classes = Array.from({ length: classCount }, (_, classIndex) => {
    const judged: Judged[] = [];
    const truthsByImage = images.map((image, index) => {
      const truths = image.truths.filter((truth) => truth.classIndex === classIndex).map(({ box }) => box);
      const found = image.detections.slice(0, 100).filter((detection) => detection.classIndex === classIndex);
      judged.push(...judgeImage(truths, found, index, range));
      return truths.filter((truth) => isIn(truth, range)).length;
    });
    return { judged: judged.sort((a, b) => b.score - a.score), truthsByImage };
  });
  return { images: images.length, classes };
}

function judgeImage(
  truths: readonly Box[],
  found: EvaluatedImage['detections'],
  image: number,
  range: AreaRange,
): Judged[] {
  const taken = iouThresholds.map(() => new Set<number>());
  const counts = truths.map((truth) => isIn(truth, range));
  return found.map(({ score, box }) => {
    const ious = truths.map((truth) => boxIou(truth, box));
    const hits = iouThresholds.map((minIou, level) => {
      let best = -1;
      // A box that counts goes before one that is ignored, however well that fits.
      const isBetter = (index: number) =>
        best < 0 ||
        (counts[index] === counts[best] ? (ious[index] ?? 0) > (ious[best] ?? 0) : counts[index] === true);
      ious.forEach((iou, index) => {
        if (iou >= minIou && !taken[level]?.has(index) && isBetter(index)) best = index;
      });
      if (best < 0) return isIn(box, range) ? false : null;
      taken[level]?.add(best);
      return counts[best] === true ? true : null;
    });
    return { image, score, hits };
  });
}

function isIn(box: Box, { min, max }: AreaRange): boolean {
  const area = boxArea(box);
  return area >= min && area < max;
}

export interface Precision {
  /** Mean over classes and thresholds .50:.05:.95, 0 to 1. */
  readonly ap: number;
  /** Mean over classes at IoU .50, 0 to 1. */
  readonly ap50: number;
}

/** Mean average precision with 101-point interpolation; `weights` counts each image that often (bootstrap). */
export function averagePrecision(judgement: Judgement, weights?: readonly number[]): Precision {
  const weightOf = (image: number) => weights?.[image] ?? 1;
  const byClass: number[][] = [];
  for (const { judged, truthsByImage } of judgement.classes) {
    const truths = truthsByImage.reduce((sum, count, image) => sum + count * weightOf(image), 0);
    if (truths === 0) continue;
    byClass.push(iouThresholds.map((_, level) => interpolatedPrecision(judged, level, truths, weightOf)));
  }
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    ap: mean(byClass.map((levels) => mean(levels))),
    ap50: mean(byClass.map((levels) => levels[0] ?? 0)),
  };
}

function interpolatedPrecision(
  judged: readonly Judged[],
  level: number,
  truths: number,
  weightOf: (image: number) => number,
): number {
  let hits = 0;
  let seen = 0;
  const recalls: number[] = [];
  const precisions: number[] = [];
  for (const detection of judged) {
    const weight = weightOf(detection.image);
    if (weight === 0 || detection.hits[level] === null) continue;
    seen += weight;
    if (detection.hits[level]) hits += weight;
    recalls.push(hits / truths);
    precisions.push(hits / seen);
  }
  for (let index = precisions.length - 2; index >= 0; index--) {
    precisions[index] = Math.max(precisions[index] ?? 0, precisions[index + 1] ?? 0);
  }
  let sum = 0;
  let at = 0;
  for (let point = 0; point <= 100; point++) {
    while (at < recalls.length && (recalls[at] ?? 0) < point / 100) at++;
    sum += precisions[at] ?? 0;
  }
  return sum / 101;
}

export interface WorkingPoint {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/** Over all classes together at IoU .50, counting detections from `minScore` on. */
export function workingPoint(
  judgement: Judgement,
  minScore: number,
  weights?: readonly number[],
): WorkingPoint {
  const weightOf = (image: number) => weights?.[image] ?? 1;
  let hits = 0;
  let seen = 0;
  let truths = 0;
  for (const { judged, truthsByImage } of judgement.classes) {
    truthsByImage.forEach((count, image) => {
      truths += count * weightOf(image);
    });
    for (const detection of judged) {
      if (detection.score < minScore) break;
      seen += weightOf(detection.image);
      if (detection.hits[0]) hits += weightOf(detection.image);
    }
  }
  return {
    precision: seen > 0 ? hits / seen : 1,
    recall: truths > 0 ? hits / truths : 1,
    f1: seen + truths > 0 ? (2 * hits) / (seen + truths) : 1,
  };
}
