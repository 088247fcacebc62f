import { type Component, findComponents, type ProbabilityMap } from './components.js';
import { minAreaRectangle } from './min-area-rectangle.js';
import { cornersOf, type Strip } from './strip.js';

export interface TextRegion {
  readonly strip: Strip;
  /** How sure the detector is, 0 to 1. */
  readonly score: number;
  /** The strip's shorter side in pixels of the map in which it was found: how small the detector saw the letters. */
  readonly seenHeightPx: number;
  /** Of a word with its letters one above the other: their cells from top to bottom, which are read side by side. */
  readonly letters?: readonly Strip[];
}

// Post-processing of a differentiable binarisation map: Liao, Wan, Yao, Chen, Bai 2020; the figures are PP-OCR's.
const pixelThreshold = Math.round(0.3 * 255);
const minScore = 0.6;
const unclipRatio = 1.5;
/** Sides in pixels of the map, before and after the rectangle is grown. */
const minSidePx = 3;
const minGrownSidePx = 5;

/**
 * The text regions of a map, in pixels of the map: components above the threshold as rectangles of least area, those that
 * are probable enough, expanded by the amount that the detector was trained to shrink them.
 */
export function findTextRegions(map: ProbabilityMap): TextRegion[] {
  return findComponents(map, pixelThreshold).flatMap((component) => {
    const core = minAreaRectangle(outlineOf(component));
    if (!core || Math.min(core.width, core.height) < minSidePx) return [];
    const score = meanInside(map, core);
    if (score < minScore) return [];
    const grow = (unclipRatio * core.width * core.height) / (core.width + core.height);
    const strip = { ...core, width: core.width + grow, height: core.height + grow };
    const seenHeightPx = Math.min(strip.width, strip.height);
    return seenHeightPx < minGrownSidePx ? [] : [{ strip, score, seenHeightPx }];
  });
}

/** Centres of the pixels at the ends of the runs: the hull of a component needs no others. */
function outlineOf(component: Component) {
  return component.flatMap(({ y, start, end }) => [
    { x: start + 0.5, y: y + 0.5 },
    { x: end + 0.5, y: y + 0.5 },
  ]);
}

/** Mean probability of the pixels whose centres lie inside a rectangle, 0 to 1. */
function meanInside({ data, width, height }: ProbabilityMap, strip: Strip): number {
  const corners = cornersOf(strip);
  const ys = corners.map(({ y }) => y);
  let sum = 0;
  let count = 0;
  const lastY = Math.min(height - 1, Math.ceil(Math.max(...ys) - 0.5));
  for (let y = Math.max(0, Math.floor(Math.min(...ys) - 0.5)); y <= lastY; y += 1) {
    const [from, to] = crossing(corners, y + 0.5);
    const last = Math.min(width - 1, Math.floor(to - 0.5 + 1e-6));
    for (let x = Math.max(0, Math.ceil(from - 0.5 - 1e-6)); x <= last; x += 1) {
      sum += data[y * width + x] ?? 0;
      count += 1;
    }
  }
  return count === 0 ? 0 : sum / count / 255;
}

/** Where a horizontal line enters and leaves a convex polygon; an empty interval when it misses. */
function crossing(corners: ReturnType<typeof cornersOf>, y: number): [number, number] {
  let [from, to] = [Infinity, -Infinity];
  corners.forEach((a, index) => {
    const b = corners[(index + 1) % corners.length] ?? a;
    if (Math.min(a.y, b.y) > y + 1e-6 || Math.max(a.y, b.y) < y - 1e-6) return;
    const isLevel = Math.abs(a.y - b.y) < 1e-6;
    const part = isLevel ? 0 : (y - a.y) / (b.y - a.y);
    for (const x of isLevel ? [a.x, b.x] : [a.x + part * (b.x - a.x)]) {
      from = Math.min(from, x);
      to = Math.max(to, x);
    }
  });
  return [from, to];
}
