import type { ImageAnchors } from './anchor-sample.js';
import { type Corners, overlap, positiveOverlap } from './overlap.js';

/**
 * By what share of its width (left, right) or height (top, bottom) each side of a label's boxes is further out than where the
 * backbone's regressor, which was trained on other objects and annotations, predicts it. Negative: further in.
 */
export type BoxBias = Corners;

export const noBoxBias: BoxBias = [0, 0, 0, 0];

interface ShownImage {
  anchors(): Pick<ImageAnchors, 'corners'>;
  readonly truths: readonly Corners[];
}

/** Weight of the prior "no correction", in images: the boxes of a few images hardly change the backbone's. */
const held = 1;

/**
 * Medians, the images counting alike, over the anchors that fit a labelled box: of centres, in widths and heights of the
 * box, and of logarithms of widths and heights (as detectors regress: Girshick et al. 2014). Regressions on the features
 * fit the training images better and others no better: see docs/training-detectors.md.
 */
export function fitBoxBias(images: readonly ShownImage[]): BoxBias {
  const moves = images
    .filter(({ truths }) => truths.length > 0)
    .flatMap(({ anchors, truths }) => {
      const inImage = movesIn(anchors().corners, truths);
      return inImage.map((move) => ({ move, weight: 1 / inImage.length }));
    });
  const shown = moves.reduce((sum, { weight }) => sum + weight, 0);
  const trust = shown / (shown + held);
  const median = (part: keyof Move) =>
    trust * weightedMedian(moves.map(({ move, weight }) => ({ value: move[part], weight })));
  const [x, y] = [median('x'), median('y')];
  const [wider, higher] = [median('width'), median('height')].map((log) => Math.expm1(log) / 2);
  return [(wider ?? 0) - x, (higher ?? 0) - y, (wider ?? 0) + x, (higher ?? 0) + y];
}

/** The anchor's box at `index`, moved; it is not clipped. */
export function applyBoxBias(corners: Float32Array, index: number, boxBias: BoxBias): Corners {
  const box = cornersAt(corners, index);
  const width = box[2] - box[0];
  const height = box[3] - box[1];
  return [
    box[0] - boxBias[0] * width,
    box[1] - boxBias[1] * height,
    box[2] + boxBias[2] * width,
    box[3] + boxBias[3] * height,
  ];
}

/** From a box of the backbone to the labelled one. */
interface Move {
  /** Of the centre, in widths of the backbone's box. */
  readonly x: number;
  /** In heights. */
  readonly y: number;
  /** Logarithms of how many times as wide and as high the labelled box is. */
  readonly width: number;
  readonly height: number;
}

/** Of every anchor that fits a labelled box. */
function movesIn(corners: Float32Array, truths: readonly Corners[]): Move[] {
  const moves: Move[] = [];
  for (let index = 0; index < corners.length / 4; index++) {
    let most = 0;
    let best: Corners | undefined;
    for (const truth of truths) {
      const shared = overlap(corners, index, truth);
      if (shared > most) [most, best] = [shared, truth];
    }
    if (best && most >= positiveOverlap) moves.push(moveTo(best, cornersAt(corners, index)));
  }
  return moves;
}

function moveTo(truth: Corners, box: Corners): Move {
  const [width, height] = [box[2] - box[0], box[3] - box[1]];
  return {
    x: (truth[0] + truth[2] - box[0] - box[2]) / 2 / width,
    y: (truth[1] + truth[3] - box[1] - box[3]) / 2 / height,
    width: Math.log((truth[2] - truth[0]) / width),
    height: Math.log((truth[3] - truth[1]) / height),
  };
}

function cornersAt(corners: Float32Array, index: number): Corners {
  const [xMin = 0, yMin = 0, xMax = 0, yMax = 0] = corners.subarray(index * 4, index * 4 + 4);
  return [xMin, yMin, xMax, yMax];
}

/** 0 for an empty list. */
function weightedMedian(values: readonly { readonly value: number; readonly weight: number }[]): number {
  const half = values.reduce((sum, { weight }) => sum + weight, 0) / 2;
  let sum = 0;
  for (const { value, weight } of [...values].sort((a, b) => a.value - b.value)) {
    sum += weight;
    if (sum >= half) return value;
  }
  return 0;
}
