import type { PlannedLabel } from './plan.js';

export type PlacedLabel = Pick<PlannedLabel, 'box' | 'outline' | 'isSwapped'>;

/**
 * A box by two opposite corners, which a hand or a program may have written in the other order.
 * @param corners xMin, yMin, xMax, yMax
 * @returns undefined where one is no number
 */
export function boxOfCorners(corners: readonly (number | undefined)[]): PlacedLabel | undefined {
  const [left, top, right, bottom] = corners;
  if (left === undefined || top === undefined || right === undefined || bottom === undefined)
    return undefined;
  return {
    box: {
      xMin: Math.min(left, right),
      yMin: Math.min(top, bottom),
      xMax: Math.max(left, right),
      yMax: Math.max(top, bottom),
    },
    ...((left > right || top > bottom) && { isSwapped: true }),
  };
}

/** The box around an ellipse; radii in pixels and the angle in radians. */
export function placeEllipse(
  x: number | undefined,
  y: number | undefined,
  rx: number | undefined,
  ry: number | undefined,
  angle: number,
): PlacedLabel | undefined {
  if (x === undefined || y === undefined || rx === undefined || ry === undefined) return undefined;
  const halfX = Math.hypot(rx * Math.cos(angle), ry * Math.sin(angle));
  const halfY = Math.hypot(rx * Math.sin(angle), ry * Math.cos(angle));
  return { box: { xMin: x - halfX, yMin: y - halfY, xMax: x + halfX, yMax: y + halfY }, outline: 'ellipse' };
}

/**
 * The upright box around a rotated one.
 * @param values x and y of the centre, width, height, and the angle in radians
 */
export function boxAroundRotated(values: readonly (number | undefined)[]): PlacedLabel | undefined {
  const [x, y, width, height, angle] = values;
  if (
    x === undefined ||
    y === undefined ||
    width === undefined ||
    height === undefined ||
    angle === undefined
  )
    return undefined;
  const [cosine, sine] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
  const [w, h] = [Math.abs(width), Math.abs(height)];
  const [halfX, halfY] = [(w * cosine + h * sine) / 2, (w * sine + h * cosine) / 2];
  return {
    box: { xMin: x - halfX, yMin: y - halfY, xMax: x + halfX, yMax: y + halfY },
    outline: 'rotated box',
  };
}
