import type { DatasetBox } from '@lynceus/client';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The handles of a box: its sides and corners by points of the compass. */
export const handles = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'] as const;
export type Handle = (typeof handles)[number];

/** The service refuses boxes with a shorter side, in pixels of the image. */
const minSide = 2;

/** The box between two corners, within the image, in whole pixels. */
export function boxBetween(from: Point, to: Point, image: Size): DatasetBox {
  const x = [clamp(from.x, 0, image.width), clamp(to.x, 0, image.width)].map(Math.round);
  const y = [clamp(from.y, 0, image.height), clamp(to.y, 0, image.height)].map(Math.round);
  return { x_min: Math.min(...x), y_min: Math.min(...y), x_max: Math.max(...x), y_max: Math.max(...y) };
}

/** Moves a box; it keeps its size and stays within the image. */
export function moveBox(box: DatasetBox, by: Point, image: Size): DatasetBox {
  const dx = Math.round(clamp(by.x, -box.x_min, image.width - box.x_max));
  const dy = Math.round(clamp(by.y, -box.y_min, image.height - box.y_max));
  return { x_min: box.x_min + dx, y_min: box.y_min + dy, x_max: box.x_max + dx, y_max: box.y_max + dy };
}

/** Moves a side or corner of a box to a point; the box keeps a minimum side and does not flip. */
export function resizeBox(box: DatasetBox, handle: Handle, to: Point, image: Size): DatasetBox {
  const x = Math.round(clamp(to.x, 0, image.width));
  const y = Math.round(clamp(to.y, 0, image.height));
  return {
    x_min: handle.includes('w') ? Math.min(x, box.x_max - minSide) : box.x_min,
    x_max: handle.includes('e') ? Math.max(x, box.x_min + minSide) : box.x_max,
    y_min: handle.includes('n') ? Math.min(y, box.y_max - minSide) : box.y_min,
    y_max: handle.includes('s') ? Math.max(y, box.y_min + minSide) : box.y_max,
  };
}

/** Turns a typed box into one that the service accepts. */
export function correctBox(box: DatasetBox, image: Size): DatasetBox {
  const x_min = clamp(Math.round(box.x_min), 0, Math.max(0, image.width - minSide));
  const y_min = clamp(Math.round(box.y_min), 0, Math.max(0, image.height - minSide));
  return {
    x_min,
    y_min,
    x_max: clamp(Math.round(box.x_max), x_min + minSide, image.width),
    y_max: clamp(Math.round(box.y_max), y_min + minSide, image.height),
  };
}

/** A box in the middle, a third of each side: the start for users without a pointer. */
export function middleBox({ width, height }: Size): DatasetBox {
  return correctBox(
    { x_min: width / 3, y_min: height / 3, x_max: (width * 2) / 3, y_max: (height * 2) / 3 },
    { width, height },
  );
}

export function isLargeEnough(box: DatasetBox): boolean {
  return box.x_max - box.x_min >= minSide && box.y_max - box.y_min >= minSide;
}

/** The smallest box at a point, which others might hide. */
export function smallestAt<Item extends { readonly box: DatasetBox | null }>(
  point: Point,
  items: readonly Item[],
): Item | null {
  const holding = items.filter(({ box }) => box && contains(box, point));
  return holding.reduce<Item | null>((best, item) => (best && area(best) <= area(item) ? best : item), null);
}

/** Intersection over union of two boxes, 0 to 1. */
export function overlap(a: DatasetBox, b: DatasetBox): number {
  const width = Math.min(a.x_max, b.x_max) - Math.max(a.x_min, b.x_min);
  const height = Math.min(a.y_max, b.y_max) - Math.max(a.y_min, b.y_min);
  if (width <= 0 || height <= 0) return 0;
  return (width * height) / (area({ box: a }) + area({ box: b }) - width * height);
}

export function contains(box: DatasetBox, { x, y }: Point): boolean {
  return x >= box.x_min && x <= box.x_max && y >= box.y_min && y <= box.y_max;
}

function area({ box }: { readonly box: DatasetBox | null }): number {
  return box ? (box.x_max - box.x_min) * (box.y_max - box.y_min) : 0;
}

export function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
