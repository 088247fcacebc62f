import type { Point } from '../../image/box.js';
import type { Strip } from './strip.js';

/**
 * The convex hull, counter-clockwise in a frame whose y grows upwards, without points on its edges: Andrew's monotone
 * chain (Andrew 1979).
 */
function convexHull(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  const lower = chain(sorted);
  const upper = chain(sorted.reverse());
  return [...lower.slice(0, -1), ...upper.slice(0, -1)];
}

function chain(points: readonly Point[]): Point[] {
  const kept: Point[] = [];
  for (const point of points) {
    for (;;) {
      const [before, last] = kept.slice(-2);
      if (!before || !last || cross(before, last, point) > 0) break;
      kept.pop();
    }
    kept.push(point);
  }
  return kept;
}

function cross(o: Point, a: Point, b: Point): number {
  return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

/**
 * The rectangle of least area around points; one of its sides lies on an edge of their hull (Freeman and Shapira 1975).
 * Its width is the side nearer to the horizontal: the angle is from -pi / 4 to pi / 4. Hulls of text are short, so every
 * edge is measured against every corner instead of turning calipers. Null without points.
 */
export function minAreaRectangle(points: readonly Point[]): Strip | null {
  const hull = convexHull(points);
  const [only] = hull.length ? hull : points;
  if (!only) return null;
  if (hull.length < 2) return { centre: only, width: 0, height: 0, angleRad: 0 };
  let best: Strip | null = null;
  hull.forEach((from, index) => {
    const to = hull[(index + 1) % hull.length] ?? from;
    const angle = Math.atan2(to.y - from.y, to.x - from.x);
    const quarter = Math.PI / 2;
    const strip = spanAlong(hull, angle - quarter * Math.round(angle / quarter));
    if (!best || strip.width * strip.height < best.width * best.height) best = strip;
  });
  return best;
}

function spanAlong(points: readonly Point[], angleRad: number): Strip {
  const cos = Math.cos(angleRad);
  const sin = Math.sin(angleRad);
  let [aMin, aMax, dMin, dMax] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { x, y } of points) {
    const a = x * cos + y * sin;
    const d = y * cos - x * sin;
    aMin = Math.min(aMin, a);
    aMax = Math.max(aMax, a);
    dMin = Math.min(dMin, d);
    dMax = Math.max(dMax, d);
  }
  const a = (aMin + aMax) / 2;
  const d = (dMin + dMax) / 2;
  return {
    centre: { x: a * cos - d * sin, y: a * sin + d * cos },
    width: aMax - aMin,
    height: dMax - dMin,
    angleRad,
  };
}
