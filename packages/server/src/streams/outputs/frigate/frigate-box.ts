import type { StreamEventData } from '../../event-data.js';

type Framed = Pick<StreamEventData, 'box' | 'width' | 'height'>;

/** A box as Frigate has them, in whole pixels: left, top, right, bottom. */
export type FrigateBox = readonly [xMin: number, yMin: number, xMax: number, yMax: number];

export function toFrigateBox({ box, width, height }: Framed): FrigateBox {
  const within = (value: number, side: number) => Math.min(side, Math.max(0, Math.round(value)));
  return [
    within(box.x_min, width),
    within(box.y_min, height),
    within(box.x_max, width),
    within(box.y_max, height),
  ];
}

export function areaOf([xMin, yMin, xMax, yMax]: FrigateBox): number {
  return (xMax - xMin) * (yMax - yMin);
}

/** Width to height. */
export function ratioOf([xMin, yMin, xMax, yMax]: FrigateBox): number {
  return (xMax - xMin) / Math.max(1, yMax - yMin);
}

/** The part of the frame that Frigate would have looked at: a square around the box with room at each side, within the frame. */
export function regionOf(framed: Framed): FrigateBox {
  const [xMin, yMin, xMax, yMax] = toFrigateBox(framed);
  const { width, height } = framed;
  const side = Math.min(Math.max(320, 1.3 * Math.max(xMax - xMin, yMax - yMin)), Math.max(width, height));
  const along = (from: number, to: number, length: number): readonly [number, number] => {
    const start = Math.round(Math.min(Math.max(0, (from + to - side) / 2), Math.max(0, length - side)));
    return [start, Math.round(Math.min(length, start + side))];
  };
  const [left, right] = along(xMin, xMax, width);
  const [top, bottom] = along(yMin, yMax, height);
  return [left, top, right, bottom];
}
