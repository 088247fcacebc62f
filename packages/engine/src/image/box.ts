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

/** Intersection over union, 0 to 1; 0 when either box is empty. */
export function boxIou(a: Box, b: Box): number {
  const width = Math.min(a.xMax, b.xMax) - Math.max(a.xMin, b.xMin);
  const height = Math.min(a.yMax, b.yMax) - Math.max(a.yMin, b.yMin);
  if (width <= 0 || height <= 0) return 0;
  const intersection = width * height;
  return intersection / (boxArea(a) + boxArea(b) - intersection);
}

export function clipBox(box: Box, width: number, height: number): Box {
  return {
    xMin: Math.min(Math.max(box.xMin, 0), width),
    yMin: Math.min(Math.max(box.yMin, 0), height),
    xMax: Math.min(Math.max(box.xMax, 0), width),
    yMax: Math.min(Math.max(box.yMax, 0), height),
  };
}
