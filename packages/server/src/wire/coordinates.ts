import type { Box, Point } from '@lynceus/engine';

/** A box in whole pixels inside an image of the given size. */
export function wholePixels(box: Box, width: number, height: number) {
  const [xmin, ymin] = wholePoint({ x: box.xMin, y: box.yMin }, width, height);
  const [xmax, ymax] = wholePoint({ x: box.xMax, y: box.yMax }, width, height);
  return { xmin, ymin, xmax, ymax };
}

/** A box as v1 writes it where coordinates are text: `X1,X2,Y1,Y2`. */
export function boxText(box: Box, width: number, height: number): string {
  const { xmin, ymin, xmax, ymax } = wholePixels(box, width, height);
  return `${xmin},${xmax},${ymin},${ymax}`;
}

/** X and Y in whole pixels inside an image of the given size. */
export function wholePoint({ x, y }: Point, width: number, height: number): readonly [number, number] {
  const clip = (value: number, max: number) => Math.min(Math.max(Math.round(value), 0), max);
  return [clip(x, width), clip(y, height)];
}
