import type { FivePoints } from './face.js';
import type { Frame } from './frame.js';
import { applySimilarity, fitSimilarity } from './similarity.js';

/** A square with the target positions of the five points of a face, in pixels of the square. */
export interface AlignedSquare {
  readonly side: number;
  /** x, y: eyes, nose, corners of the mouth, as in `FivePoints`. */
  readonly points: readonly (readonly [number, number])[];
}

/** The region of the image that shows a face upright and at a fixed size, its points near those of `square`. */
export function alignFace(points: FivePoints, { side, points: template }: AlignedSquare): Frame {
  const toImage = fitSimilarity(
    template.map(([x, y]) => ({ x, y })),
    points,
  );
  const { a, b } = toImage;
  const length = side * Math.hypot(a, b);
  return {
    centre: applySimilarity(toImage, { x: side / 2, y: side / 2 }),
    width: length,
    height: length,
    angleDeg: (Math.atan2(b, a) * 180) / Math.PI,
  };
}
