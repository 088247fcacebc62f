/**
 * Two images are taken for nearly the same when so few of 128 bits differ. Of 12,403 pairs of different photographs one
 * differed in fewer than 30 (that pair being the same image twice); of copies at quality 50, .95 differed in 3 or fewer,
 * of copies of half the size in 15, of copies 15 % brighter in 5.
 */
export const nearBits = 12;
const words = 4;
/** Two fingerprints of which at most `nearBits` bits differ have the same bits in at least one of so many blocks. */
const blocks = nearBits + 1;
/** Blocks have 9 or 10 bits. */
const keysOfBlock = 1024;
/** Following a block to an entry takes as long as comparing so many in a row. */
const costOfCandidate = 4;

type Take = (entry: number, differing: number) => void;

/**
 * Finds near fingerprints, exactly, by the blocks that they have in common (multi-index hashing: Norouzi, Punjani, Fleet, 2012). Equal
 * ones are one entry. An entry is compared with about a hundredth of the others, and at worst with each of them once.
 */
export class NearIndex {
  #bits = new Uint32Array(words * 256);
  /** Of each entry and block, the entry before it with the same bits there; -1: none. */
  #previous = new Int32Array(blocks * 256);
  readonly #latest = new Int32Array(blocks * keysOfBlock).fill(-1);
  readonly #counts = new Uint32Array(blocks * keysOfBlock);
  /** The search in which each entry was compared last, since several blocks may lead to it. */
  #comparedIn = new Uint32Array(256);
  #search = 0;
  #length = 0;

  /**
   * Returns the entry of a fingerprint: that of an equal one, or a new one. Calls `visit` with each earlier entry that is near it.
   * @param fingerprint 32 hexadecimal digits
   */
  add(fingerprint: string, visit: (entry: number) => void): number {
    const added = this.#length;
    if (added === this.#comparedIn.length) this.#grow();
    this.#write(added, fingerprint);
    const buckets = this.#bucketsOf(added);
    let own = added;
    const take = (entry: number, differing: number) => {
      if (differing === 0) own = entry;
      visit(entry);
    };
    const candidates = buckets.reduce((sum, bucket) => sum + (this.#counts[bucket] ?? 0), 0);
    if (candidates * costOfCandidate < added) this.#compareCandidates(added, buckets, take);
    else this.#compareAll(added, take);
    if (own < added) return own;
    for (const [block, bucket] of buckets.entries()) {
      this.#previous[added * blocks + block] = this.#latest[bucket] ?? -1;
      this.#latest[bucket] = added;
      this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    }
    this.#length += 1;
    return added;
  }

  #compareCandidates(added: number, buckets: readonly number[], take: Take): void {
    this.#search += 1;
    for (const [block, bucket] of buckets.entries()) {
      let entry = this.#latest[bucket] ?? -1;
      for (; entry >= 0; entry = this.#previous[entry * blocks + block] ?? -1) {
        if (this.#comparedIn[entry] === this.#search) continue;
        this.#comparedIn[entry] = this.#search;
        const differing = countDiffering(this.#bits, entry, added);
        if (differing <= nearBits) take(entry, differing);
      }
    }
  }

  #compareAll(added: number, take: Take): void {
    const bits = this.#bits;
    const first = bits[added * words] ?? 0;
    for (let entry = 0; entry < added; entry += 1) {
      // Most differ in their first word already.
      if (countOnes((bits[entry * words] ?? 0) ^ first) > nearBits) continue;
      const differing = countDiffering(bits, entry, added);
      if (differing <= nearBits) take(entry, differing);
    }
  }

  #write(entry: number, fingerprint: string): void {
    for (let word = 0; word < words; word += 1) {
      this.#bits[entry * words + word] = Number.parseInt(fingerprint.slice(8 * word, 8 * word + 8), 16);
    }
  }

  /** Neighbouring bits, which are alike in even images, are in different blocks. */
  #bucketsOf(entry: number): readonly number[] {
    const keys = new Array<number>(blocks).fill(0);
    for (let bit = 0; bit < words * 32; bit += 1) {
      const word = this.#bits[entry * words + (bit >>> 5)] ?? 0;
      const block = bit % blocks;
      keys[block] = ((keys[block] ?? 0) << 1) | ((word >>> (bit & 31)) & 1);
    }
    return keys.map((key, block) => block * keysOfBlock + key);
  }

  #grow(): void {
    this.#bits = grown(this.#bits, new Uint32Array(this.#bits.length * 2));
    this.#previous = grown(this.#previous, new Int32Array(this.#previous.length * 2));
    this.#comparedIn = grown(this.#comparedIn, new Uint32Array(this.#comparedIn.length * 2));
  }
}

/** Exact up to `nearBits`. */
function countDiffering(bits: Uint32Array, one: number, other: number): number {
  let differing = 0;
  for (let word = 0; differing <= nearBits && word < words; word += 1) {
    differing += countOnes((bits[one * words + word] ?? 0) ^ (bits[other * words + word] ?? 0));
  }
  return differing;
}

function grown<Values extends Uint32Array | Int32Array>(values: Values, larger: Values): Values {
  larger.set(values);
  return larger;
}

/** Bits set in 32, by halves added in parallel (Warren, Hacker's Delight, 5-1). */
export function countOnes(value: number): number {
  let v = value - ((value >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
