import type { Point } from '../../image/box.js';
import { cornersOf, enclose, type Strip } from './strip.js';

/** A strip and its bounding box in the frame of the text, in which reading goes to the right and down. */
interface Placed<T> {
  readonly item: T;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Share of the height by which two pieces must overlap to be on one line. */
const minLineOverlap = 0.5;
/** A gutter between columns is at least as wide as this many heights of a line ... */
const minGutterHeights = 1;
/** ... and has on either side at least so many pieces, which in the middle are this many times as long as high. */
const minColumnPieces = 3;
const minProseAspect = 6;
/** A column takes at most this part of the width. */
const maxColumnShare = 0.65;

/**
 * Sorts pieces of text in reading order: lines from top to bottom, in each from left to right, columns of prose
 * one after the other. The frame is that of the text: where the whole page is turned, its lines are too.
 */
export function sortByReading<T extends { readonly strip: Strip }>(items: readonly T[]): T[] {
  const angle = meanAngle(items.map(({ strip }) => strip));
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const upright = ({ x, y }: Point) => ({ x: x * cos + y * sin, y: y * cos - x * sin });
  const placed = items.map((item) => {
    const { xMin, xMax, yMin, yMax } = enclose(cornersOf(item.strip).map(upright));
    return { item, left: xMin, right: xMax, top: yMin, bottom: yMax };
  });
  return readColumns(placed).map(({ item }) => item);
}

/** The direction in which most of the text runs, long pieces counting for more. */
function meanAngle(strips: readonly Strip[]): number {
  let [x, y] = [0, 0];
  for (const { angleRad, width } of strips) {
    x += width * Math.cos(angleRad);
    y += width * Math.sin(angleRad);
  }
  return Math.atan2(y, x);
}

/**
 * Splits at the widest gutter between columns of prose, and again in either part; recursive cuts as in Nagy and Seth 1984.
 * Lines across the gutter, such as a heading, separate what is above from what is below.
 */
function readColumns<T>(placed: readonly Placed<T>[]): Placed<T>[] {
  const width = Math.max(...placed.map(({ right }) => right)) - Math.min(...placed.map(({ left }) => left));
  const gutter = findGutter(placed.filter(({ left, right }) => right - left <= maxColumnShare * width));
  if (gutter === null) return readLines(placed);
  const crossing = placed
    .filter(({ left, right }) => left <= gutter && right > gutter)
    .sort((a, b) => a.top - b.top);
  const ordered: Placed<T>[] = [];
  let rest = placed.filter((piece) => !crossing.includes(piece));
  const take = (isAbove: (piece: Placed<T>) => boolean) => {
    const band = rest.filter(isAbove);
    rest = rest.filter((piece) => !isAbove(piece));
    for (const side of [
      band.filter(({ right }) => right <= gutter),
      band.filter(({ right }) => right > gutter),
    ]) {
      if (side.length > 0) ordered.push(...readColumns(side));
    }
  };
  for (const line of crossing) {
    take(({ top, bottom }) => top + bottom < line.top + line.bottom);
    ordered.push(line);
  }
  take(() => true);
  return ordered;
}

/** The position of a vertical line between two columns of prose; null where there is none. */
function findGutter<T>(placed: readonly Placed<T>[]): number | null {
  if (placed.length < 2 * minColumnPieces) return null;
  const lineHeight = median(placed.map(({ top, bottom }) => bottom - top));
  const sorted = [...placed].sort((a, b) => a.left - b.left);
  let best: { readonly at: number; readonly width: number } | null = null;
  let reach = -Infinity;
  for (const [index, piece] of sorted.entries()) {
    const width = piece.left - reach;
    const isWide = index > 0 && width >= minGutterHeights * lineHeight && width > (best?.width ?? 0);
    if (isWide && isProse(sorted.slice(0, index)) && isProse(sorted.slice(index))) {
      best = { at: (reach + piece.left) / 2, width };
    }
    reach = Math.max(reach, piece.right);
  }
  return best?.at ?? null;
}

function isProse<T>(placed: readonly Placed<T>[]): boolean {
  const aspects = placed.map(({ left, right, top, bottom }) => (right - left) / Math.max(1, bottom - top));
  return placed.length >= minColumnPieces && median(aspects) >= minProseAspect;
}

function readLines<T>(placed: readonly Placed<T>[]): Placed<T>[] {
  const lines: Placed<T>[][] = [];
  for (const piece of [...placed].sort((a, b) => a.top + a.bottom - b.top - b.bottom)) {
    const line = lines.at(-1);
    // Measured against the neighbour on the line, since a long line may climb.
    const nearest = line?.reduce((a, b) => (gap(a, piece) <= gap(b, piece) ? a : b));
    if (line && nearest && overlap(nearest, piece) >= minLineOverlap) line.push(piece);
    else lines.push([piece]);
  }
  return lines.flatMap((line) => line.sort((a, b) => a.left - b.left));
}

function gap<T>(a: Placed<T>, b: Placed<T>): number {
  return Math.max(a.left - b.right, b.left - a.right);
}

function overlap<T>(a: Placed<T>, b: Placed<T>): number {
  const shared = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return shared / Math.max(1e-9, Math.min(a.bottom - a.top, b.bottom - b.top));
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
