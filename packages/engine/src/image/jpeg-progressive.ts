import { type Codes, maxEmptyBits, maxPaddingBytes, next16, startOfPadding } from './jpeg-codes.js';

/** A scan of the coefficients `from` to `to` of one colour (ITU-T T.81, annex G). */
export interface Band {
  readonly codes: Codes;
  readonly from: number;
  readonly to: number;
  /** Whether the coefficients were read before, and get one more bit. */
  readonly isRefinement: boolean;
}

/** Coefficients of a colour that are not zero, as far as they are read: a bit each, in two words a block. */
export type NonZero = Uint32Array;

/**
 * Reads the codes of a band in so many blocks, and no pixel: returns the blocks up to the first code that no encoder writes, and whether more
 * follows the last block than padding.
 */
export function readBand(
  data: Buffer,
  band: Band,
  nonZero: NonZero,
  { first, count }: { readonly first: number; readonly count: number },
): { sound: number; hasRest: boolean } {
  const reader = new BandReader(data, band, nonZero);
  const padding = startOfPadding(data) * 8;
  for (let nth = 0; nth < count; nth += 1) {
    const start = reader.bit;
    const isRead = reader.readBlock(2 * (first + nth));
    const isPadding = start >= padding && reader.bit - start > maxEmptyBits;
    if (!isRead || isPadding || reader.bit > data.length * 8) return { sound: nth, hasRest: false };
  }
  return { sound: count, hasRest: padding - reader.bit > maxPaddingBytes * 8 };
}

class BandReader {
  bit = 0;
  /** Blocks that have no further coefficients. */
  #emptyBlocks = 0;
  readonly #data: Buffer;
  readonly #band: Band;
  readonly #nonZero: NonZero;
  /** Of each coefficient, those of the band from it on, in two words. */
  readonly #masks: readonly (readonly [number, number])[];

  constructor(data: Buffer, band: Band, nonZero: NonZero) {
    this.#data = data;
    this.#band = band;
    this.#nonZero = nonZero;
    this.#masks = Array.from({ length: 65 }, (_, from) => [
      maskOf(from, band.to),
      maskOf(from - 32, band.to - 32),
    ]);
  }

  /** Whether all codes of the block are such that encoders write. @param at of its words */
  readBlock(at: number): boolean {
    const { codes, from, to, isRefinement } = this.#band;
    let nth = from;
    while (this.#emptyBlocks === 0 && nth <= to) {
      const found = codes.find(next16(this.#data, this.bit));
      if (found === 0) return false;
      this.bit += found >>> 8;
      const [zeros, size] = [(found >>> 4) & 15, found & 15];
      if (size === 0 && zeros < 15) {
        const more = next16(this.#data, this.bit) >>> (16 - zeros);
        this.bit += zeros;
        this.#emptyBlocks = (1 << zeros) + more;
        break;
      }
      if (isRefinement && size > 1) return false;
      this.bit += size;
      nth = isRefinement ? this.#skip(at, nth, zeros) : nth + zeros;
      if (size > 0) {
        // A coefficient has no place behind the band.
        if (nth > to) return false;
        this.#nonZero[at + (nth >>> 5)] = (this.#nonZero[at + (nth >>> 5)] ?? 0) | (1 << (nth & 31));
      }
      nth += 1;
    }
    if (this.#emptyBlocks > 0) {
      this.#emptyBlocks -= 1;
      if (isRefinement) this.bit += this.#countFrom(at, nth);
    }
    return true;
  }

  /** The place behind so many zeros; each other coefficient on the way has a bit. */
  #skip(at: number, start: number, zeros: number): number {
    let left = zeros;
    let nth = start;
    for (; nth <= this.#band.to; nth += 1) {
      if (((this.#nonZero[at + (nth >>> 5)] ?? 0) >>> (nth & 31)) & 1) this.bit += 1;
      else if (left === 0) break;
      else left -= 1;
    }
    return nth;
  }

  #countFrom(at: number, nth: number): number {
    const [low, high] = this.#masks[nth] ?? [0, 0];
    return countBits((this.#nonZero[at] ?? 0) & low) + countBits((this.#nonZero[at + 1] ?? 0) & high);
  }
}

/** Bits `from` to `to` of a word, as far as it has them. */
function maskOf(from: number, to: number): number {
  const [first, last] = [Math.max(0, from), Math.min(31, to)];
  return first > last ? 0 : (0xffffffff >>> (31 - (last - first))) << first;
}

function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
