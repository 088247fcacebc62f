import type { Box, Point } from '../../image/box.js';
import type { Image } from '../../image/image.js';

/**
 * A rectangle that may be rotated about its centre: the input region of a model, or a face as it was
 * found in one. Pixels of the oriented image; it may reach outside.
 */
export interface Frame {
  readonly centre: Point;
  readonly width: number;
  readonly height: number;
  /** Clockwise as seen, 0 for upright. */
  readonly angleDeg: number;
  /** Whether it shows the image from behind: its left side is the right one of the region. */
  readonly isMirrored?: boolean;
}

export function frameOf({ xMin, yMin, xMax, yMax }: Box): Frame {
  return {
    centre: { x: (xMin + xMax) / 2, y: (yMin + yMax) / 2 },
    width: xMax - xMin,
    height: yMax - yMin,
    angleDeg: 0,
  };
}

/** Geometric mean of the sides, in pixels. */
export function faceSize({ width, height }: Frame): number {
  return Math.sqrt(width * height);
}

/** The point in the image of a point in the frame, given as fractions of its width and height from its upper left corner. */
export function pointIn({ centre, width, height, angleDeg, isMirrored }: Frame, x: number, y: number): Point {
  const angle = (angleDeg * Math.PI) / 180;
  const [right, down] = [(isMirrored ? 0.5 - x : x - 0.5) * width, (y - 0.5) * height];
  return {
    x: centre.x + right * Math.cos(angle) - down * Math.sin(angle),
    y: centre.y + right * Math.sin(angle) + down * Math.cos(angle),
  };
}

/** A box, given in fractions of `outer`, as a frame with the same rotation. */
export function frameWithin(outer: Frame, box: Box): Frame {
  return {
    centre: pointIn(outer, (box.xMin + box.xMax) / 2, (box.yMin + box.yMax) / 2),
    width: (box.xMax - box.xMin) * outer.width,
    height: (box.yMax - box.yMin) * outer.height,
    angleDeg: outer.angleDeg,
  };
}

/** The square around a frame's centre, with the same rotation. */
export function squareFrame({ centre, angleDeg }: Frame, side: number): Frame {
  return { centre, width: side, height: side, angleDeg };
}

/**
 * The bounding box of the oval that fills the frame: a face is an oval, and the corners of a rotated frame would make its box
 * larger than the face.
 */
export function ovalBox({ centre, width, height, angleDeg }: Frame): Box {
  const angle = (angleDeg * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const halfWidth = Math.hypot(width * cos, height * sin) / 2;
  const halfHeight = Math.hypot(width * sin, height * cos) / 2;
  return {
    xMin: centre.x - halfWidth,
    yMin: centre.y - halfHeight,
    xMax: centre.x + halfWidth,
    yMax: centre.y + halfHeight,
  };
}

/** The pixels of a frame at the given size, RGB interleaved; black outside the image. */
export function takeFrame(
  image: Image,
  frame: Frame,
  size: { readonly width: number; readonly height: number },
): Promise<Uint8Array> {
  return image.patch({
    topLeft: pointIn(frame, 0, 0),
    topRight: pointIn(frame, 1, 0),
    bottomLeft: pointIn(frame, 0, 1),
    width: size.width,
    height: size.height,
  });
}
