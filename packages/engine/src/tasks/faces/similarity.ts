import type { Point } from '../../image/box.js';

/** x' = a x - b y + dx, y' = b x + a y + dy: rotated, scaled and moved, never mirrored. */
export interface Similarity {
  readonly a: number;
  readonly b: number;
  readonly dx: number;
  readonly dy: number;
}

/**
 * The similarity that takes `from` to `to` with the least sum of squares. In the plane, without mirroring, the solution of
 * Umeyama (1991, "Least-squares estimation of transformation parameters between two point patterns") is a closed form.
 * Where all of `from` coincide, the scale is 0.
 * @param from at least two points
 * @param to as many
 */
export function fitSimilarity(from: readonly Point[], to: readonly Point[]): Similarity {
  const [centre, target] = [meanOf(from), meanOf(to)];
  let [dot, cross, norm] = [0, 0, 0];
  for (const [index, point] of from.entries()) {
    const other = to[index] ?? target;
    const [x, y] = [point.x - centre.x, point.y - centre.y];
    const [u, v] = [other.x - target.x, other.y - target.y];
    dot += x * u + y * v;
    cross += x * v - y * u;
    norm += x * x + y * y;
  }
  const a = norm > 0 ? dot / norm : 0;
  const b = norm > 0 ? cross / norm : 0;
  return {
    a,
    b,
    dx: target.x - a * centre.x + b * centre.y,
    dy: target.y - b * centre.x - a * centre.y,
  };
}

export function applySimilarity({ a, b, dx, dy }: Similarity, { x, y }: Point): Point {
  return { x: a * x - b * y + dx, y: b * x + a * y + dy };
}

export function meanOf(points: readonly Point[]): Point {
  const sum = points.reduce((total, { x, y }) => ({ x: total.x + x, y: total.y + y }), { x: 0, y: 0 });
  return { x: sum.x / points.length, y: sum.y / points.length };
}
