import type { Box } from '../../image/box.js';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Of a slice, in pixels of the image: about a photograph as detectors are trained on. */
const sidePx = 640;
/** How far two neighbouring slices overlap, as a fraction of their side: a smaller object is whole in one of them. */
const overlap = 0.25;
/** An image whose longer side is less than this many slices gains nothing. */
const worthwhile = 1.5;
/** A bound on the work that one image causes; larger images get larger slices. */
const maxSlices = 24;

/**
 * Overlapping regions that together cover a large image, for a detector that reduces what it looks at (slicing aided inference,
 * Akyon et al. 2022, arXiv:2202.06934); none for an image that the detector sees well as a whole.
 */
export function sliceImage({ width, height }: Size): Box[] {
  if (Math.max(width, height) < worthwhile * sidePx) return [];
  for (let side = sidePx; ; side *= 1.1) {
    const [columns, rows] = [spread(width, side), spread(height, side)];
    if (columns.length * rows.length > maxSlices) continue;
    return rows.flatMap(({ from: yMin, to: yMax }) =>
      columns.map(({ from: xMin, to: xMax }) => ({ xMin, yMin, xMax, yMax })),
    );
  }
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Equal spans in whole pixels, evenly distributed. */
function spread(total: number, side: number): Span[] {
  const shared = side * overlap;
  const count = Math.max(1, Math.ceil((total - shared) / (side - shared)));
  const length = Math.min(total, Math.ceil((total + (count - 1) * shared) / count));
  return Array.from({ length: count }, (_, index) => {
    const from = count === 1 ? 0 : Math.round((index * (total - length)) / (count - 1));
    return { from, to: from + length };
  });
}

/** A box that ends so near to the border of its slice, as a fraction of the slice's side, may be a part of an object. */
const margins = { cut: 0.01, near: 0.05 };

/** Whether a border of the slice that is none of the image's cuts what the box shows. */
export function isCut(box: Box, slice: Box, image: Size): boolean {
  return endsWithin(margins.cut, box, slice, image);
}

/** Whether it might: detectors put the sides of what is cut some way inside. */
export function endsNearCut(box: Box, slice: Box, image: Size): boolean {
  return endsWithin(margins.near, box, slice, image);
}

function endsWithin(margin: number, box: Box, slice: Box, { width, height }: Size): boolean {
  const x = margin * (slice.xMax - slice.xMin);
  const y = margin * (slice.yMax - slice.yMin);
  return (
    (slice.xMin > 0 && box.xMin < slice.xMin + x) ||
    (slice.yMin > 0 && box.yMin < slice.yMin + y) ||
    (slice.xMax < width && box.xMax > slice.xMax - x) ||
    (slice.yMax < height && box.yMax > slice.yMax - y)
  );
}
