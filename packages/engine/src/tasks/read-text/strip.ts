import type { Box, Point } from '../../image/box.js';

/**
 * A turned rectangle around a piece of text, in pixels of the image: `width` runs along the text, `height` across it.
 * `angleRad` is the direction of reading, clockwise from the x axis: 0 reads to the right, pi / 2 downwards.
 */
export interface Strip {
  readonly centre: Point;
  readonly width: number;
  readonly height: number;
  readonly angleRad: number;
}

/** Corners, clockwise as one reads: the upper left of the text first. */
export function cornersOf({ centre, width, height, angleRad }: Strip): [Point, Point, Point, Point] {
  const along = { x: (Math.cos(angleRad) * width) / 2, y: (Math.sin(angleRad) * width) / 2 };
  const down = { x: (-Math.sin(angleRad) * height) / 2, y: (Math.cos(angleRad) * height) / 2 };
  const corner = (a: number, d: number) => ({
    x: centre.x + a * along.x + d * down.x,
    y: centre.y + a * along.y + d * down.y,
  });
  return [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
}

/** The same rectangle, read in a direction turned clockwise by as many quarters. */
export function turnStrip(strip: Strip, quarters: number): Strip {
  const odd = Math.abs(quarters) % 2 === 1;
  return {
    centre: strip.centre,
    width: odd ? strip.height : strip.width,
    height: odd ? strip.width : strip.height,
    angleRad: strip.angleRad + (quarters * Math.PI) / 2,
  };
}

export function enclose(points: readonly Point[]): Box {
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  return { xMin: Math.min(...xs), yMin: Math.min(...ys), xMax: Math.max(...xs), yMax: Math.max(...ys) };
}
