import type { ModelManifest } from '../../catalog/manifest.js';
import type { Image } from '../../image/image.js';
import type { Tensor } from '../task.js';
import { cornersOf, type Strip } from './strip.js';

/** A recogniser's steps are eight pixels long. */
const widthMultiple = 8;
const minWidthPx = 16;
/** A line of some 250 characters. Longer ones are compressed. */
const maxWidthPx = 4096;

/**
 * Reads a strip of the image, upright, at this height: uint8 [1,h,w,3].
 * @param stretch horizontal stretch
 */
export async function cutStrip(image: Image, strip: Strip, height: number, stretch: number): Promise<Tensor> {
  const width = stripWidthPx(strip, height, stretch);
  const [topLeft, topRight, , bottomLeft] = cornersOf(strip);
  const data = await image.patch({ topLeft, topRight, bottomLeft, width, height });
  return { data, dims: [1, height, width, 3] };
}

/** Cuts cells of the same size, upright, and places them side by side: uint8 [1,h,w,3]. */
export async function cutCells(
  image: Image,
  cells: readonly Strip[],
  height: number,
  stretch: number,
): Promise<Tensor> {
  const [first] = cells;
  const cellWidth = Math.max(1, first ? Math.round((height * stretch * first.width) / first.height) : 1);
  const needed = Math.min(cellWidth * cells.length, maxWidthPx);
  const width = Math.max(minWidthPx, Math.ceil(needed / widthMultiple) * widthMultiple);
  const data = new Uint8Array(height * width * 3);
  for (const [index, cell] of cells.entries()) {
    const [topLeft, topRight, , bottomLeft] = cornersOf(cell);
    const part = await image.patch({ topLeft, topRight, bottomLeft, width: cellWidth, height });
    // The last one fills what is left of the multiple with its own edge.
    const isLast = index === cells.length - 1;
    for (let y = 0; y < height; y += 1) {
      const row = part.subarray(y * cellWidth * 3, (y + 1) * cellWidth * 3);
      const at = (y * width + index * cellWidth) * 3;
      if (index * cellWidth + cellWidth > width) continue;
      data.set(row, at);
      for (let x = (index + 1) * cellWidth; isLast && x < width; x += 1) {
        data.set(row.subarray(-3), (y * width + x) * 3);
      }
    }
  }
  return { data, dims: [1, height, width, 3] };
}

/** The width that a strip is cut at: a multiple of the recogniser's step, within its bounds. */
export function stripWidthPx(strip: Strip, height: number, stretch: number): number {
  const steps = Math.round((height * stretch * strip.width) / strip.height / widthMultiple);
  return Math.min(Math.max(steps * widthMultiple, minWidthPx), maxWidthPx);
}

/** The height in pixels of a model's strips; 48 in PP-OCR. */
export function stripHeightOf({ input }: ModelManifest): number {
  return input.fit === 'strip' ? input.height : 48;
}
