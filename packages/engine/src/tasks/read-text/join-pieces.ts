import type { Strip } from './strip.js';
import type { TextRegion } from './text-regions.js';

/** Pieces of one line differ by this factor in height at most, by this part of it in position, and by this sine in direction. */
const maxHeightRatio = 1.6;
const maxShift = 0.25;
const maxSine = 0.1;
/** Pieces farther apart than this many heights are read without a part of each other. */
const maxGap = 0.1;

/**
 * Joins pieces of one line that overlap or touch: words that the detector found apart, and the two halves of a line that was found at two
 * scales. Read by themselves, the letter at the seam would be in both or in neither.
 * @param regions in their direction of reading
 */
export function joinPieces(regions: readonly TextRegion[]): TextRegion[] {
  const joined: TextRegion[] = [];
  for (const region of regions) {
    let whole = region;
    for (let at = findPiece(joined, whole); at >= 0; at = findPiece(joined, whole)) {
      const [piece] = joined.splice(at, 1);
      if (piece) whole = join(whole, piece);
    }
    joined.push(whole);
  }
  return joined;
}

function findPiece(regions: readonly TextRegion[], region: TextRegion): number {
  return regions.findIndex((other) => areOneLine(region.strip, other.strip));
}

function areOneLine(a: Strip, b: Strip): boolean {
  const turn = b.angleRad - a.angleRad;
  const ratio = a.height / b.height;
  if (Math.cos(turn) < 0 || Math.abs(Math.sin(turn)) > maxSine) return false;
  if (ratio > maxHeightRatio || ratio < 1 / maxHeightRatio) return false;
  const { along, across } = offsetOf(a, b);
  const lower = Math.min(a.height, b.height);
  return Math.abs(across) <= maxShift * lower && Math.abs(along) - (a.width + b.width) / 2 <= maxGap * lower;
}

/** From the centre of a strip to that of another one, in the direction of its text and downwards. */
function offsetOf(
  { centre, angleRad }: Strip,
  to: Strip,
): { readonly along: number; readonly across: number } {
  const [x, y] = [to.centre.x - centre.x, to.centre.y - centre.y];
  const [cos, sin] = [Math.cos(angleRad), Math.sin(angleRad)];
  return { along: x * cos + y * sin, across: y * cos - x * sin };
}

/** The strip around both, in the direction of the longer one. */
function join(a: TextRegion, b: TextRegion): TextRegion {
  const [longer, shorter] = a.strip.width >= b.strip.width ? [a, b] : [b, a];
  const { strip } = longer;
  const { along, across } = offsetOf(strip, shorter.strip);
  const span = (offset: number, own: number, other: number) => {
    const from = Math.min(-own / 2, offset - other / 2);
    const to = Math.max(own / 2, offset + other / 2);
    return { middle: (from + to) / 2, length: to - from };
  };
  const x = span(along, strip.width, shorter.strip.width);
  const y = span(across, strip.height, shorter.strip.height);
  const [cos, sin] = [Math.cos(strip.angleRad), Math.sin(strip.angleRad)];
  return {
    ...longer,
    score: Math.max(a.score, b.score),
    strip: {
      ...strip,
      centre: {
        x: strip.centre.x + x.middle * cos - y.middle * sin,
        y: strip.centre.y + x.middle * sin + y.middle * cos,
      },
      width: x.length,
      height: y.length,
    },
  };
}
