interface Header {
  readonly ids: readonly number[];
  /** First and last coefficient. */
  readonly from: number;
  readonly to: number;
  /** Lowest bit before the scan, or 0 for the first scan of the coefficients. */
  readonly high: number;
  /** Lowest bit after the scan. */
  readonly low: number;
}

const notRead = 255;
const maxLow = 13;

/** Which bits of which coefficients the scans of a progressive image have had so far (ITU-T T.81, G.1.1.1). */
export class Progression {
  /** By colour and coefficient its lowest bit. */
  readonly #bits = new Map<number, Uint8Array>();
  #hasPadding = false;

  /**
   * Whether the scan continues the others: bits come once, from the highest to the lowest, and all but the first ones one by one. A file
   * may therefore have only so many scans.
   * @param scan content of its header
   */
  continuesWith(scan: Buffer): boolean {
    const { ids, from, to, high, low } = readHeader(scan);
    if (from > to || to > 63 || low > maxLow) return false;
    const isNext = (lowest: number) =>
      lowest === notRead ? high === 0 : lowest > 0 && high === lowest && low === high - 1;
    return ids.every((id) =>
      this.#bitsOf(id)
        .subarray(from, to + 1)
        .every(isNext),
    );
  }

  add(scan: Buffer, hasPadding: boolean): void {
    const { ids, from, to, low } = readHeader(scan);
    for (const id of ids) this.#bitsOf(id).fill(low, from, to + 1);
    this.#hasPadding = hasPadding;
  }

  /** Whether the last scan ends in padding. */
  get endsInPadding(): boolean {
    return this.#hasPadding;
  }

  /** Whether all bits of all coefficients of these colours have come. */
  isWhole(ids: readonly number[]): boolean {
    return ids.every((id) => this.#bitsOf(id).every((lowest) => lowest === 0));
  }

  #bitsOf(id: number): Uint8Array {
    const bits = this.#bits.get(id) ?? new Uint8Array(64).fill(notRead);
    this.#bits.set(id, bits);
    return bits;
  }
}

function readHeader(scan: Buffer): Header {
  const count = scan[0] ?? 0;
  const ids = Array.from({ length: count }, (_, nth) => scan[1 + 2 * nth] ?? 0);
  const [from = 0, to = 0, bits = 0] = scan.subarray(1 + 2 * count);
  return { ids, from, to, high: bits >> 4, low: bits & 15 };
}
