import type { Box } from '@lynceus/engine';
import { numberOf } from './plan.js';

/** The box around a polygon or a mask of COCO, in pixels; undefined where there is none. */
export function boxOfOutline(
  segmentation: unknown,
): { readonly box: Box; readonly outline: 'polygon' | 'mask' } | undefined {
  if (Array.isArray(segmentation)) {
    const rings = Array.isArray(segmentation[0]) ? segmentation : [segmentation];
    const box = boxAround(rings.flat().map(numberOf));
    return box && { box, outline: 'polygon' };
  }
  const box = boxOfMask(segmentation);
  return box && { box, outline: 'mask' };
}

/** Around points x, y, x, y …; undefined for fewer than two, and where one is no number. */
export function boxAround(values: readonly (number | undefined)[]): Box | undefined {
  if (values.length < 4 || values.length % 2 !== 0) return undefined;
  const box = { xMin: Infinity, yMin: Infinity, xMax: -Infinity, yMax: -Infinity };
  for (let at = 0; at < values.length; at += 2) {
    const [x, y] = [values[at], values[at + 1]];
    if (x === undefined || y === undefined) return undefined;
    box.xMin = Math.min(box.xMin, x);
    box.xMax = Math.max(box.xMax, x);
    box.yMin = Math.min(box.yMin, y);
    box.yMax = Math.max(box.yMax, y);
  }
  return box;
}

/**
 * Of a mask as run lengths down its columns, as a list or in the text form of pycocotools: runs of background and of the
 * object by turns.
 */
function boxOfMask(mask: unknown): Box | undefined {
  if (typeof mask !== 'object' || mask === null || !('size' in mask) || !('counts' in mask)) return undefined;
  const { size, counts } = mask;
  const height = Array.isArray(size) ? numberOf(size[0]) : undefined;
  if (height === undefined || height < 1) return undefined;
  const runs =
    typeof counts === 'string' ? decodeRuns(counts) : Array.isArray(counts) ? counts.map(numberOf) : [];
  const box = { xMin: Infinity, yMin: Infinity, xMax: -Infinity, yMax: -Infinity };
  let at = 0;
  for (const [index, run] of runs.entries()) {
    if (run === undefined || run < 0) return undefined;
    const [first, last] = [at, at + run - 1];
    at += run;
    if (index % 2 === 0 || run === 0) continue;
    const [firstColumn, lastColumn] = [Math.floor(first / height), Math.floor(last / height)];
    box.xMin = Math.min(box.xMin, firstColumn);
    box.xMax = Math.max(box.xMax, lastColumn + 1);
    // One that goes over the end of a column covers the first and the last row.
    const isOver = lastColumn > firstColumn;
    box.yMin = Math.min(box.yMin, isOver ? 0 : first % height);
    box.yMax = Math.max(box.yMax, isOver ? height : (last % height) + 1);
  }
  return box.xMax > box.xMin ? box : undefined;
}

/** Five bits a character from `0` on, the sixth says that more follow; from the fourth run on, differences to the one before the last. */
function decodeRuns(text: string): readonly number[] {
  const runs: number[] = [];
  let at = 0;
  while (at < text.length) {
    let [value, shift, more] = [0, 0, true];
    while (more && at < text.length) {
      const code = text.charCodeAt(at) - 48;
      value += (code & 31) * 2 ** shift;
      more = (code & 32) !== 0;
      at += 1;
      shift += 5;
      if (!more && (code & 16) !== 0) value -= 2 ** shift;
    }
    runs.push(runs.length > 2 ? value + (runs[runs.length - 2] ?? 0) : value);
  }
  return runs;
}
