import type { FaceBox } from '@lynceus/client';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A rectangle in an image, as fractions of its sides or in pixels. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A box as fractions of the sides of the image, clipped to it. */
export function toShares(box: FaceBox, { width, height }: Size): Rectangle {
  const within = (value: number) => Math.min(1, Math.max(0, value));
  const [left, right] = [within(box.x_min / width), within(box.x_max / width)];
  const [top, bottom] = [within(box.y_min / height), within(box.y_max / height)];
  return { x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) };
}

/**
 * The whole pixels around a box, with a margin on each side as a multiple of its longer side, clipped to the image.
 * The margin lets a detector find the face again.
 */
export function cropAround(box: FaceBox, { width, height }: Size, margin: number): Rectangle {
  const around = margin * Math.max(box.x_max - box.x_min, box.y_max - box.y_min);
  const left = Math.max(0, Math.floor(box.x_min - around));
  const top = Math.max(0, Math.floor(box.y_min - around));
  const right = Math.min(width, Math.ceil(box.x_max + around));
  const bottom = Math.min(height, Math.ceil(box.y_max + around));
  return { x: left, y: top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) };
}
