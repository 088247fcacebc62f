import { countOnes, nearBits } from './near-index.js';

const words = 4;

export interface NearImage {
  readonly index: number;
  readonly bits: number;
}

/** Fingerprints in one block of memory, compared one by one: 50,000 take a third of a millisecond. */
export class Fingerprints {
  #bits = new Uint32Array(words * 64);
  #count = 0;

  get length(): number {
    return this.#count;
  }

  /** @param fingerprint 32 hexadecimal digits */
  push(fingerprint: string): void {
    if ((this.#count + 1) * words > this.#bits.length) {
      const grown = new Uint32Array(this.#bits.length * 2);
      grown.set(this.#bits);
      this.#bits = grown;
    }
    for (let word = 0; word < words; word += 1) {
      this.#bits[this.#count * words + word] = Number.parseInt(fingerprint.slice(8 * word, 8 * word + 8), 16);
    }
    this.#count += 1;
  }

  /** The nearest of all that is near at all. */
  nearest(fingerprint: string): NearImage | null {
    const wanted = new Fingerprints();
    wanted.push(fingerprint);
    let best: NearImage | null = null;
    for (const near of nearOf(this.#bits, this.#count, wanted.#bits, 0)) {
      if (best === null || near.bits < best.bits) best = near;
    }
    return best;
  }
}

/** Of the first `count` those that are near the one at a position. Most differ in their first word already. */
function nearOf(bits: Uint32Array, count: number, of: Uint32Array, at: number): readonly NearImage[] {
  const near: NearImage[] = [];
  const first = of[at] ?? 0;
  for (let index = 0; index < count; index += 1) {
    let differing = countOnes((bits[index * words] ?? 0) ^ first);
    for (let word = 1; differing <= nearBits && word < words; word += 1) {
      differing += countOnes((bits[index * words + word] ?? 0) ^ (of[at + word] ?? 0));
    }
    if (differing <= nearBits) near.push({ index, bits: differing });
  }
  return near;
}
