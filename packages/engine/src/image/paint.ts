import { type Box, clipBox, type Point } from './box.js';

/** Pixels to paint on: RGB, 8 bit, interleaved. What lies outside of them is left out. */
export interface Canvas {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Red, green and blue, 0 to 255. */
export type Colour = readonly [number, number, number];

/** Grey levels, a byte a pixel. */
export interface Mask {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Paints the four sides of a box, at whole pixels and inside of it. What is outside of the image is moved to its edge. */
export function strokeBox(canvas: Canvas, box: Box, strokePx: number, colour: Colour): void {
  const { xMin, yMin, xMax, yMax } = clipBox(box, canvas.width, canvas.height);
  const left = Math.min(Math.floor(xMin), canvas.width - 1);
  const top = Math.min(Math.floor(yMin), canvas.height - 1);
  const right = Math.max(left + 1, Math.ceil(xMax));
  const bottom = Math.max(top + 1, Math.ceil(yMax));
  const fill = (from: number, to: number, first: number, last: number) => {
    for (let y = Math.max(first, top); y < Math.min(last, bottom); y += 1) {
      for (let x = Math.max(from, left); x < Math.min(to, right); x += 1) blend(canvas, x, y, colour, 1);
    }
  };
  fill(left, right, top, top + strokePx);
  fill(left, right, bottom - strokePx, bottom);
  fill(left, left + strokePx, top, bottom);
  fill(right - strokePx, right, top, bottom);
}

/** Paints a closed line along the sides of a polygon, half of it outside; its borders are smooth. */
export function strokePolygon(
  canvas: Canvas,
  polygon: readonly Point[],
  strokePx: number,
  colour: Colour,
): void {
  polygon.forEach((point, index) => {
    const next = polygon[(index + 1) % polygon.length] ?? point;
    strokeSegment(canvas, point, next, strokePx / 2, colour);
  });
}

/** Paints a mask with its upper left corner at a whole pixel: `ink` where it is white, `paper` where it is black. */
export function paintMask(
  canvas: Canvas,
  mask: Mask,
  at: Point,
  { ink, paper }: { readonly ink: Colour; readonly paper: Colour },
): void {
  const width = Math.min(mask.width, canvas.width - at.x);
  const height = Math.min(mask.height, canvas.height - at.y);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const level = mask.data[y * mask.width + x] ?? 0;
      if (level < 255) blend(canvas, at.x + x, at.y + y, paper, 1);
      if (level > 0) blend(canvas, at.x + x, at.y + y, ink, level / 255);
    }
  }
}

/** Row by row: of each only the pixels that are within reach of the line, and these by their distance from the segment. */
function strokeSegment(canvas: Canvas, from: Point, to: Point, radius: number, colour: Colour): void {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  const reach = radius + 0.5;
  const [firstRow, lastRow] = within(
    Math.min(from.y, to.y) - reach,
    Math.max(from.y, to.y) + reach,
    canvas.height,
  );
  for (let row = firstRow; row <= lastRow; row += 1) {
    const y = row + 0.5 - from.y;
    const half = Math.abs((reach * length) / dy);
    const middle = from.x + (dx * y) / dy;
    const isFlat = !Number.isFinite(half);
    const [first, last] = within(
      Math.max(Math.min(from.x, to.x) - reach, isFlat ? Number.NEGATIVE_INFINITY : middle - half),
      Math.min(Math.max(from.x, to.x) + reach, isFlat ? Number.POSITIVE_INFINITY : middle + half),
      canvas.width,
    );
    for (let column = first; column <= last; column += 1) {
      const x = column + 0.5 - from.x;
      const along = length > 0 ? Math.min(1, Math.max(0, (x * dx + y * dy) / length ** 2)) : 0;
      const distance = Math.hypot(x - along * dx, y - along * dy);
      blend(canvas, column, row, colour, Math.min(1, Math.max(0, reach - distance)));
    }
  }
}

/** The first and the last of `count` pixels in a row that the interval touches. */
function within(min: number, max: number, count: number): readonly [number, number] {
  return [Math.max(0, Math.floor(min)), Math.min(count - 1, Math.ceil(max))];
}

function blend({ data, width }: Canvas, x: number, y: number, colour: Colour, share: number): void {
  const at = 3 * (y * width + x);
  for (let channel = 0; channel < 3; channel += 1) {
    const old = data[at + channel] ?? 0;
    data[at + channel] = Math.round(old + ((colour[channel] ?? 0) - old) * share);
  }
}
