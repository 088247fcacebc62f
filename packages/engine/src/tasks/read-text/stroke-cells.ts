import type { View } from './view.js';

/** Side in pixels of the cells in which strokes are counted. */
export const cellPx = 16;

/** How rich in sharp strokes each cell of a view is, row by row. */
interface StrokeCells {
  readonly columns: number;
  /** Mean of what exceeds the floor of the Laplacian of the greys, rounded up, 0 to 255. */
  readonly energies: Uint8Array;
}

/** By one pass over the pixels: the image library takes three times as long for its four, on every image. */
export function countStrokes({ data, width, height }: View, floor: number): StrokeCells {
  const greys = toGrey(data, width * height);
  const [columns, rows] = [Math.ceil(width / cellPx), Math.ceil(height / cellPx)];
  const sums = new Uint32Array(columns);
  const energies = new Uint8Array(columns * rows);
  for (let row = 0; row < rows; row += 1) {
    sums.fill(0);
    const end = Math.min(height, (row + 1) * cellPx);
    for (let y = row * cellPx; y < end; y += 1) addLine(sums, greys, { y, width, height, floor });
    for (let column = 0; column < columns; column += 1) {
      const pixels = (end - row * cellPx) * (Math.min(width, (column + 1) * cellPx) - column * cellPx);
      energies[row * columns + column] = Math.ceil((sums[column] ?? 0) / pixels);
    }
  }
  return { columns, energies };
}

interface Line {
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly floor: number;
}

/** Adds what a line of pixels has; those at the border of the image continue beyond it. */
function addLine(sums: Uint32Array, greys: Uint8Array, { y, width, height, floor }: Line): void {
  const at = y * width;
  const above = Math.max(0, y - 1) * width;
  const below = Math.min(height - 1, y + 1) * width;
  let left = greys[at] ?? 0;
  let here = left;
  for (let column = 0; column < sums.length; column += 1) {
    const end = Math.min(width, (column + 1) * cellPx);
    let sum = 0;
    for (let x = column * cellPx; x < end; x += 1) {
      const right = greys[x + 1 < width ? at + x + 1 : at + x] ?? 0;
      const edge = 4 * here - left - right - (greys[above + x] ?? 0) - (greys[below + x] ?? 0);
      // As an image of edges has it: 0 to 255.
      const over = Math.min(edge, 255) - floor;
      // Zero where it is negative: of noise a branch is guessed wrong every other time.
      sum += over & ~(over >> 31);
      left = here;
      here = right;
    }
    sums[column] = (sums[column] ?? 0) + sum;
  }
}

/** Luminance by the weights of Rec. 709, in 256ths. */
function toGrey(rgb: Uint8Array, pixels: number): Uint8Array {
  const greys = new Uint8Array(pixels);
  for (let pixel = 0, at = 0; pixel < pixels; pixel += 1, at += 3) {
    greys[pixel] = ((rgb[at] ?? 0) * 54 + (rgb[at + 1] ?? 0) * 183 + (rgb[at + 2] ?? 0) * 19) >> 8;
  }
  return greys;
}

/** Up to this energy a cell is background without texture; of 256 photographs a fifth are so by half. */
const maxPlainEnergy = 2;

/** Whether at least half of a view is plain, as paper, screens and signs are. */
export function isPlain(view: View): boolean {
  const { energies } = countStrokes(view, 0);
  let plain = 0;
  for (const energy of energies) if (energy <= maxPlainEnergy) plain += 1;
  return 2 * plain >= energies.length;
}
