import { type Codes, maxEmptyBits, maxPaddingBytes, next16 } from './jpeg-codes.js';
import type { ScanData } from './jpeg-scan-data.js';
import type { Work } from './jpeg-work.js';

/** A scan of the coefficients `from` to `to` of one colour (ITU-T T.81, annex G). */
interface Band {
  readonly codes: Codes;
  readonly from: number;
  readonly to: number;
  /** Whether the coefficients were read before, and get one more bit. */
  readonly isRefinement: boolean;
}

/** Coefficients of a colour that are not zero, as far as they are read: a bit each, in two words a block. */
export type NonZero = Uint32Array;

/** Reads the codes of a band, and no pixel. */
export class BandReader {
  #bit = 0;
  /** Blocks that have no further coefficients. */
  #emptyBlocks = 0;
  readonly #data: ScanData;
  readonly #band: Band;
  readonly #nonZero: NonZero;
  readonly #work: Work;
  /** Of each coefficient, those of the band from it on, in two words. */
  readonly #masks: Uint32Array;

  constructor(data: ScanData, band: Band, nonZero: NonZero, work: Work) {
    this.#data = data;
    this.#band = band;
    this.#nonZero = nonZero;
    this.#work = work;
    this.#masks = Uint32Array.from({ length: 2 * 65 }, (_, at) => {
      const skipped = 32 * (at & 1);
      return maskOf((at >>> 1) - skipped, band.to - skipped);
    });
  }

  /**
   * Reads so many blocks from the start of the data: returns those up to the first code that no encoder writes, and whether more follows the
   * last block than padding.
   */
  read(first: number, count: number): { sound: number; hasRest: boolean } {
    this.#bit = 0;
    this.#emptyBlocks = 0;
    const padding = this.#data.startOfPadding * 8;
    const end = this.#data.length * 8;
    for (let nth = 0; nth < count; nth += 1) {
      const start = this.#bit;
      const isRead = this.#readBlock(2 * (first + nth));
      const isPadding = start >= padding && this.#bit - start > maxEmptyBits;
      if (!isRead || isPadding || this.#bit > end || this.#work.isTooMuch)
        return { sound: nth, hasRest: false };
    }
    return { sound: count, hasRest: padding - this.#bit > maxPaddingBytes * 8 };
  }

  /** Whether all codes of the block are such that encoders write. @param at of its words */
  #readBlock(at: number): boolean {
    const { codes, from, to, isRefinement } = this.#band;
    const data = this.#data.bytes;
    let nth = from;
    const start = this.#bit;
    let steps = 1;
    while (this.#emptyBlocks === 0 && nth <= to) {
      steps += 1;
      const found = codes.find(next16(data, this.#bit));
      if (found === 0) return false;
      this.#bit += found >>> 8;
      const [zeros, size] = [(found >>> 4) & 15, found & 15];
      if (size === 0 && zeros < 15) {
        const more = next16(data, this.#bit) >>> (16 - zeros);
        this.#bit += zeros;
        this.#emptyBlocks = (1 << zeros) + more;
        break;
      }
      if (isRefinement && size > 1) return false;
      this.#bit += size;
      nth = isRefinement ? this.#skip(at, nth, zeros) : nth + zeros;
      if (size > 0) {
        // A coefficient has no place behind the band.
        if (nth > to) return false;
        this.#nonZero[at + (nth >>> 5)] = (this.#nonZero[at + (nth >>> 5)] ?? 0) | (1 << (nth & 31));
      }
      nth += 1;
    }
    // Passing over a coefficient costs less than a code.
    this.#work.add(isRefinement ? steps + ((this.#bit - start) >> 2) : steps);
    if (this.#emptyBlocks > 0) {
      this.#emptyBlocks -= 1;
      if (isRefinement) this.#bit += this.#countFrom(at, nth);
    }
    return true;
  }

  /** The place behind so many zeros; each other coefficient on the way has a bit. */
  #skip(at: number, start: number, zeros: number): number {
    const { to } = this.#band;
    let left = zeros;
    let nth = start;
    while (nth <= to) {
      const others = (this.#nonZero[at + (nth >>> 5)] ?? 0) >>> (nth & 31);
      // Zeros up to the next other coefficient, or up to the end of the word.
      const run = others === 0 ? 32 - (nth & 31) : 31 - Math.clz32(others & -others);
      if (left < run) return Math.min(nth + left, to + 1);
      left -= run;
      nth += run;
      if (others === 0 || nth > to) continue;
      this.#bit += 1;
      nth += 1;
    }
    return to + 1;
  }

  #countFrom(at: number, nth: number): number {
    return this.#countIn(at, 2 * nth) + this.#countIn(at + 1, 2 * nth + 1);
  }

  #countIn(word: number, mask: number): number {
    return countBits((this.#nonZero[word] ?? 0) & (this.#masks[mask] ?? 0));
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
