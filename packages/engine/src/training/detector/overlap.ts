/** Overlap of anchor boxes with labelled ones, on flat corners relative to the image. */

export type Corners = readonly [number, number, number, number];

/** Intersection over union. */
export function cornersOverlap(a: Corners, b: Corners): number {
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  if (width <= 0 || height <= 0) return 0;
  const shared = width * height;
  return shared / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - shared);
}

/** The anchor box at `index`, clipped to the image. */
export function clippedCorners(corners: Float32Array, index: number): Corners {
  const at = (side: number) => corners[index * 4 + side] ?? 0;
  return clip([at(0), at(1), at(2), at(3)]);
}

/** The box clipped to the image. */
export function clip([xMin, yMin, xMax, yMax]: Corners): Corners {
  const inside = (side: number) => Math.min(Math.max(side, 0), 1);
  return [inside(xMin), inside(yMin), inside(xMax), inside(yMax)];
}

/** Intersection over union of the anchor box at `index` with another. */
export function overlap(corners: Float32Array, index: number, other: Corners): number {
  return cornersOverlap(clippedCorners(corners, index), other);
}

/** Positive and negative anchors of a label. */
interface Assignment {
  readonly positive: readonly number[];
  readonly negative: readonly number[];
}

/** From this overlap on an anchor, with the box of the backbone's own regressor, is positive. */
export const positiveOverlap = 0.7;
/** Below this overlap it is negative; between the two it is ignored. */
const negativeOverlap = 0.5;

/**
 * The anchors of one label. The best anchor of every labelled box is positive whatever its overlap, unless nothing
 * overlaps it at all.
 * @param others The only places where something else is known to be, as in a partly labelled image; null: all but `truths`.
 */
export function assignAnchors(
  corners: Float32Array,
  truths: readonly Corners[],
  others: readonly Corners[] | null = null,
): Assignment {
  const count = corners.length / 4;
  const best = new Float32Array(count);
  const positive = new Set<number>();
  for (const truth of truths) {
    let favourite = 0;
    let most = 0;
    for (let index = 0; index < count; index++) {
      const shared = overlap(corners, index, truth);
      if (shared > (best[index] ?? 0)) best[index] = shared;
      if (shared >= positiveOverlap) positive.add(index);
      if (shared > most) [most, favourite] = [shared, index];
    }
    if (most > 0) positive.add(favourite);
  }
  const known = others && new Set(assignAnchors(corners, others).positive);
  const negative: number[] = [];
  for (let index = 0; index < count; index++) {
    const isOther = (best[index] ?? 0) < negativeOverlap && !positive.has(index);
    if (isOther && (known === null || known.has(index))) negative.push(index);
  }
  return { positive: [...positive].sort((a, b) => a - b), negative };
}
