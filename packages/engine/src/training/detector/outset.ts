import type { PictureAnchors } from './anchor-sample.js';
import { type Corners, overlap, positiveOverlap } from './overlap.js';

/**
 * By what share of its width (left, right) or height (top, bottom) each side of a label's boxes lies further out than the
 * backbone's regressor, which learnt of other things and other people's boxes, puts it. Negative: further in.
 */
export type Outset = Corners;

export const noOutset: Outset = [0, 0, 0, 0];

interface ShownPicture {
  anchors(): Pick<PictureAnchors, 'corners'>;
  readonly truths: readonly Corners[];
}

/** Pictures' worth of boxes that are right as they are: with few pictures, boxes stay near where the backbone puts them. */
const held = 1;

/**
 * The median, the pictures counting alike, over the anchors that fit a labelled box. Maps of the features fit the pictures
 * learnt of better and others no better: see docs/training-detectors.md.
 */
export function fitOutset(pictures: readonly ShownPicture[]): Outset {
  const moves = pictures
    .filter(({ truths }) => truths.length > 0)
    .flatMap(({ anchors, truths }) => {
      const inPicture = movesIn(anchors().corners, truths);
      return inPicture.map((sides) => ({ sides, weight: 1 / inPicture.length }));
    });
  const shown = moves.reduce((sum, { weight }) => sum + weight, 0);
  const trust = shown / (shown + held);
  const median = (side: number) =>
    trust * weightedMedian(moves.map(({ sides, weight }) => ({ value: sides[side] ?? 0, weight })));
  return [median(0), median(1), median(2), median(3)];
}

/** The anchor's box at `index`, moved; it is not clipped. */
export function outsetCorners(corners: Float32Array, index: number, outset: Outset): Corners {
  const box = cornersAt(corners, index);
  const width = box[2] - box[0];
  const height = box[3] - box[1];
  return [
    box[0] - outset[0] * width,
    box[1] - outset[1] * height,
    box[2] + outset[2] * width,
    box[3] + outset[3] * height,
  ];
}

/** Of every anchor that fits a labelled box, how its sides would have to move to be that box. */
function movesIn(corners: Float32Array, truths: readonly Corners[]): Outset[] {
  const moves: Outset[] = [];
  for (let index = 0; index < corners.length / 4; index++) {
    let most = 0;
    let best: Corners | undefined;
    for (const truth of truths) {
      const shared = overlap(corners, index, truth);
      if (shared > most) [most, best] = [shared, truth];
    }
    if (!best || most < positiveOverlap) continue;
    const box = cornersAt(corners, index);
    const width = box[2] - box[0];
    const height = box[3] - box[1];
    moves.push([
      (box[0] - best[0]) / width,
      (box[1] - best[1]) / height,
      (best[2] - box[2]) / width,
      (best[3] - box[3]) / height,
    ]);
  }
  return moves;
}

function cornersAt(corners: Float32Array, index: number): Corners {
  const [xMin = 0, yMin = 0, xMax = 0, yMax = 0] = corners.subarray(index * 4, index * 4 + 4);
  return [xMin, yMin, xMax, yMax];
}

/** 0 of nothing. */
function weightedMedian(values: readonly { readonly value: number; readonly weight: number }[]): number {
  const half = values.reduce((sum, { weight }) => sum + weight, 0) / 2;
  let sum = 0;
  for (const { value, weight } of [...values].sort((a, b) => a.value - b.value)) {
    sum += weight;
    if (sum >= half) return value;
  }
  return 0;
}
