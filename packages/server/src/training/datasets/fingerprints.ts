import { countOnes, nearBits, words } from './near-index.js';

interface NearImage {
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

  /** A copy, for a thread. */
  toBits(): Uint32Array<ArrayBuffer> {
    return this.#bits.slice(0, this.#count * words);
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

  /**
   * The first of the nearest among those that are near at all.
   * @param isWanted Called for few of them: images that are nearer than those before.
   */
  nearest(fingerprint: string, isWanted: (index: number) => boolean = () => true): NearImage | null {
    const wanted = new Fingerprints();
    wanted.push(fingerprint);
    const [first = 0, ...others] = wanted.#bits.subarray(0, words);
    let best: NearImage | null = null;
    let fewest = nearBits + 1;
    // Nothing is nearer than one that is equal.
    for (let index = 0; index < this.#count && fewest > 0; index += 1) {
      // Most differ in their first word already.
      let differing = countOnes((this.#bits[index * words] ?? 0) ^ first);
      for (let word = 1; differing < fewest && word < words; word += 1) {
        differing += countOnes((this.#bits[index * words + word] ?? 0) ^ (others[word - 1] ?? 0));
      }
      if (differing >= fewest || !isWanted(index)) continue;
      best = { index, bits: differing };
      fewest = differing;
    }
    return best;
  }
}
