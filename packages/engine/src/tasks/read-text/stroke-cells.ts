import sharp from 'sharp';
import { fromView, type View } from './view.js';

/** Side in pixels of the cells in which strokes are counted. */
export const cellPx = 16;

/** How rich in sharp strokes each cell of a view is, row by row. The image library does the counting. */
export interface StrokeCells {
  readonly columns: number;
  /** Mean of what exceeds the floor of the Laplacian of the greys, 0 to 255. */
  readonly energies: Uint8Array;
}

export async function countStrokes(view: View, floor: number): Promise<StrokeCells> {
  const { width, height } = view;
  const edges = await fromView(view)
    .greyscale()
    .convolve({ width: 3, height: 3, kernel: [0, -1, 0, -1, 4, -1, 0, -1, 0] })
    .linear(1, -floor)
    .raw()
    .toBuffer();
  const [columns, rows] = [Math.ceil(width / cellPx), Math.ceil(height / cellPx)];
  const energies = await sharp(edges, { raw: { width, height, channels: 1 } })
    .resize({ width: columns, height: rows, fit: 'fill', kernel: 'linear' })
    .toColourspace('b-w')
    .raw()
    .toBuffer();
  return { columns, energies };
}

/** Up to this energy a cell is background without texture; of 256 photographs a fifth are so by half. */
const maxPlainEnergy = 2;

/** Whether at least half of a view is plain, as paper, screens and signs are. */
export async function isPlain(view: View): Promise<boolean> {
  const { energies } = await countStrokes(view, 0);
  let plain = 0;
  for (const energy of energies) if (energy <= maxPlainEnergy) plain += 1;
  return 2 * plain >= energies.length;
}
