import type { Box } from '@lynceus/engine';

/** A box in whole pixels inside a picture of the given size. */
export function wholePixels(box: Box, width: number, height: number) {
  const clip = (value: number, max: number) => Math.min(Math.max(Math.round(value), 0), max);
  return {
    xmin: clip(box.xMin, width),
    ymin: clip(box.yMin, height),
    xmax: clip(box.xMax, width),
    ymax: clip(box.yMax, height),
  };
}
