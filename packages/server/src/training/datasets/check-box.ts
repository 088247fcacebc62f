import type { Box } from '@lynceus/engine';

/** A side under which a box shows nothing that could be learned, in pixels. */
export const minSidePx = 2;
/** So far out of the image a box may reach, as a share of its side: programs round, and draw over the edge. */
const slack = 0.02;

type BoxProblem = 'box-outside' | 'tiny-box';
type CheckedBox =
  | { readonly box: Box; readonly isClipped: boolean }
  | { readonly problem: BoxProblem; readonly message: string };

/** The part of a box that is in its image, or why it cannot be used. */
export function checkBox(
  box: Box,
  { width, height }: { readonly width: number; readonly height: number },
): CheckedBox {
  const { xMin, yMin, xMax, yMax } = box;
  const at = `${[xMin, yMin, xMax, yMax].map(shorten).join(', ')} in an image of ${width} x ${height} pixels`;
  if (![xMin, yMin, xMax, yMax].every(Number.isFinite)) {
    return { problem: 'box-outside', message: 'the box has a side that is no number' };
  }
  if (xMax - xMin < minSidePx || yMax - yMin < minSidePx) {
    return { problem: 'tiny-box', message: `a side of the box is under ${minSidePx} pixels: ${at}` };
  }
  const clipped = {
    xMin: Math.max(0, xMin),
    yMin: Math.max(0, yMin),
    xMax: Math.min(width, xMax),
    yMax: Math.min(height, yMax),
  };
  const isOut = clipped.xMax - clipped.xMin < minSidePx || clipped.yMax - clipped.yMin < minSidePx;
  if (isOut) return { problem: 'box-outside', message: `the box is outside: ${at}` };
  const isClipped =
    xMin < -slack * width ||
    yMin < -slack * height ||
    xMax > (1 + slack) * width ||
    yMax > (1 + slack) * height;
  return { box: clipped, isClipped };
}

function shorten(value: number): string {
  return String(Math.round(value * 100) / 100);
}
