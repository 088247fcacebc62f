import { cellPx, countStrokes } from './stroke-cells.js';
import type { Tile } from './tiles.js';
import type { Size, View } from './view.js';

/** How much finer than the first look the second one is. */
const finerBy = 2;
/** Less than this is not worth a second look. */
const worthFinerBy = 1.3;

/** Growth of the area from which sides rounded up are to blame and not detail: an image of a few lines of pixels. */
const maxGrowth = 1.5 * finerBy ** 2;

/** The size of the second look, in multiples; null where the first one saw nearly all there is. */
export function fineSize(image: Size, coarse: Size, multiple: number): Size | null {
  const seen = Math.sqrt((coarse.width * coarse.height) / (image.width * image.height));
  if (seen * worthFinerBy >= 1) return null;
  const scale = Math.min(1, seen * finerBy);
  const side = (length: number) => Math.ceil((length * scale) / multiple) * multiple;
  const [width, height] = [side(image.width), side(image.height)];
  return width * height > maxGrowth * coarse.width * coarse.height ? null : { width, height };
}

/** What the noise of a camera leaves of the Laplacian, 0 to 255. */
const noiseFloor = 24;
/** Mean of what exceeds it in a cell of print, and how many such cells a tile must have. */
const minEnergy = 5;
const minCells = 6;

/** Tells whether a tile of the fine view may hold small print: it has cells full of sharp strokes. */
export async function findDetail(fine: View): Promise<(tile: Tile) => boolean> {
  const { columns, energies } = await countStrokes(fine, noiseFloor);
  return ({ left, top, width, height }) => {
    let count = 0;
    for (let y = Math.floor(top / cellPx); y < (top + height) / cellPx; y += 1) {
      for (let x = Math.floor(left / cellPx); x < (left + width) / cellPx; x += 1) {
        if ((energies[y * columns + x] ?? 0) >= minEnergy) count += 1;
      }
    }
    return count >= minCells;
  };
}
