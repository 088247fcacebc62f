/** A point in pixels of the oriented image, from its upper left corner; fractions are allowed. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * A rectangle in pixels of the oriented image: x grows to the right, y downwards, the minimum is inside and
 * the maximum outside. Fractions are allowed; adapters round in their answers.
 */
export interface Box {
  readonly xMin: number;
  readonly yMin: number;
  readonly xMax: number;
  readonly yMax: number;
}

export function boxArea(box: Box): number {
  return Math.max(0, box.xMax - box.xMin) * Math.max(0, box.yMax - box.yMin);
}

/** The area that two boxes share. */
export function boxIntersection(a: Box, b: Box): number {
  return boxArea({
    xMin: Math.max(a.xMin, b.xMin),
    yMin: Math.max(a.yMin, b.yMin),
    xMax: Math.min(a.xMax, b.xMax),
    yMax: Math.min(a.yMax, b.yMax),
  });
}

/** Intersection over union, 0 to 1; 0 when either box is empty. */
export function boxIou(a: Box, b: Box): number {
  const intersection = boxIntersection(a, b);
  return intersection > 0 ? intersection / (boxArea(a) + boxArea(b) - intersection) : 0;
}

export function clipBox(box: Box, width: number, height: number): Box {
  return {
    xMin: Math.min(Math.max(box.xMin, 0), width),
    yMin: Math.min(Math.max(box.yMin, 0), height),
    xMax: Math.min(Math.max(box.xMax, 0), width),
    yMax: Math.min(Math.max(box.yMax, 0), height),
  };
}
