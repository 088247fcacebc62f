import type { Task } from '../task.js';

type FingerprintOptions = Readonly<Record<string, never>>;

export interface FingerprintResult {
  /** 128 bits as 32 hexadecimal digits. Images that look alike differ in few of them. */
  readonly fingerprint: string;
}

/** Bits per row, and rows; each bit is a comparison of two neighbours. */
const side = 8;

/**
 * A difference hash (Krawetz, 2013): the image is reduced to 9 x 9 greys, and each of 8 x 8 is compared with its right
 * and with its lower neighbour. Size, compression and light change few of the comparisons.
 */
export const fingerprint: Task<'fingerprint', FingerprintOptions, FingerprintResult> = {
  name: 'fingerprint',
  detailPx: () => 128,
  rasters: () => 1,
  async run({ image }) {
    const length = side + 1;
    const rgb = await image.raster({ width: length, height: length });
    return { fingerprint: compareNeighbours(toGrey(rgb), length) };
  },
};

/** Luma of ITU-R BT.601. */
function toGrey(rgb: Uint8Array): Float64Array {
  return Float64Array.from(
    { length: rgb.length / 3 },
    (_, at) => 0.299 * (rgb[3 * at] ?? 0) + 0.587 * (rgb[3 * at + 1] ?? 0) + 0.114 * (rgb[3 * at + 2] ?? 0),
  );
}

function compareNeighbours(grey: Float64Array, length: number): string {
  const at = (x: number, y: number) => grey[y * length + x] ?? 0;
  let bits = '';
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      bits += at(x, y) > at(x + 1, y) ? '1' : '0';
      bits += at(x, y) > at(x, y + 1) ? '1' : '0';
    }
  }
  return bits.replace(/[01]{4}/g, (four) => Number.parseInt(four, 2).toString(16));
}
