import type { Box, Point } from '@lynceus/engine';

/** A part of the image that objects enter and leave. */
export interface Zone {
  /** Unique. */
  readonly name: string;
  /** Corners as fractions of the width and height of the image, 0 to 1. */
  readonly points: readonly Point[];
  /** Titles of the classes that the zone is for; all without. */
  readonly classes?: readonly string[];
  /** An object enters and leaves with so many frames in a row inside and outside. */
  readonly inertiaFrames?: number;
}

/** A part of the image in which nothing is looked for. */
export interface Mask {
  readonly points: readonly Point[];
  /** Titles of the classes that are hidden; all without. */
  readonly classes?: readonly string[];
}

/** Whether an object is in a zone, and for how many frames it has seemed otherwise. */
export interface ZoneState {
  readonly isInside: boolean;
  readonly doubtFrames: number;
}

export const outside: ZoneState = { isInside: false, doubtFrames: 0 };
const defaultInertiaFrames = 3;

/** Where an object stands, as fractions of the image: the middle of the lower edge of its box, moved into the image. */
export function footOf({ xMin, xMax, yMax }: Box, width: number, height: number): Point {
  return { x: fraction((xMin + xMax) / 2, width), y: fraction(yMax, height) };
}

/** The state after a frame in which the object was seen. */
export function stepZone(state: ZoneState, zone: Zone, seen: { foot: Point; title: string }): ZoneState {
  const isIn = concerns(zone, seen.title) && isInPolygon(seen.foot, zone.points);
  if (isIn === state.isInside) return { ...state, doubtFrames: 0 };
  const doubtFrames = state.doubtFrames + 1;
  return doubtFrames >= (zone.inertiaFrames ?? defaultInertiaFrames)
    ? { isInside: isIn, doubtFrames: 0 }
    : { ...state, doubtFrames };
}

/** Whether a mask hides an object that stands there. */
export function isMasked(foot: Point, title: string, masks: readonly Mask[]): boolean {
  return masks.some((mask) => concerns(mask, title) && isInPolygon(foot, mask.points));
}

function concerns({ classes }: { readonly classes?: readonly string[] }, title: string): boolean {
  return classes === undefined || classes.includes(title);
}

/** Distance from an edge, as a fraction of the image, within which a point is on it. */
const onEdge = 1e-9;

/**
 * Whether a point is in a polygon or on its edge. Where edges cross each other, what they surround an even number of times is outside.
 * A polygon of less than three corners contains nothing.
 */
export function isInPolygon({ x, y }: Point, corners: readonly Point[]): boolean {
  if (corners.length < 3) return false;
  let isInside = false;
  for (const [index, a] of corners.entries()) {
    const b = corners[(index + 1) % corners.length] ?? a;
    if (distanceFromEdge({ x, y }, a, b) <= onEdge) return true;
    // Half-open, so that a corner belongs to one of its two edges.
    const isCrossed = a.y > y !== b.y > y && x < a.x + ((y - a.y) / (b.y - a.y)) * (b.x - a.x);
    if (isCrossed) isInside = !isInside;
  }
  return isInside;
}

function distanceFromEdge({ x, y }: Point, a: Point, b: Point): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const squared = dx ** 2 + dy ** 2;
  const share = squared > 0 ? Math.min(1, Math.max(0, ((x - a.x) * dx + (y - a.y) * dy) / squared)) : 0;
  return Math.hypot(x - a.x - share * dx, y - a.y - share * dy);
}

function fraction(value: number, whole: number): number {
  return whole > 0 ? Math.min(1, Math.max(0, value / whole)) : 0;
}
