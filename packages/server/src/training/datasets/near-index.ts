/**
 * Two images are taken for nearly the same when so few of 128 bits differ. Of 12,403 pairs of different photographs one
 * differed in fewer than 30 (that pair being the same image twice); of copies at quality 50, .95 differed in 3 or fewer,
 * of copies of half the size in 15, of copies 15 % brighter in 5.
 */
export const nearBits = 12;
/** Numbers of a fingerprint. */
export const words = 4;
/** Two fingerprints of which at most `nearBits` bits differ have the same bits in at least one of so many blocks. */
const blocks = nearBits + 1;
/** Blocks have 9 or 10 bits. */
const keysOfBlock = 1024;
/** Following a block to an entry takes as long as comparing so many in a row. */
const costOfCandidate = 4;

/** A fingerprint as the index looks it up. */
export interface FingerprintKey {
  readonly text: string;
  readonly bits: Uint32Array;
  /** One for each block. */
  readonly buckets: Uint16Array;
}

/** @param all fingerprints, of four numbers each */
export function toKey(all: Uint32Array, place: number): FingerprintKey {
  const bits = all.subarray(place * words, (place + 1) * words);
  // Neighbouring bits, which are alike in even images, are in different blocks.
  const buckets = new Uint16Array(blocks);
  for (let bit = 0; bit < words * 32; bit += 1) {
    const block = bit % blocks;
    buckets[block] = ((buckets[block] ?? 0) << 1) | (((bits[bit >>> 5] ?? 0) >>> (bit & 31)) & 1);
  }
  for (let block = 0; block < blocks; block += 1) {
    buckets[block] = block * keysOfBlock + (buckets[block] ?? 0);
  }
  return { text: bits.join(), bits, buckets };
}

/**
 * Finds near fingerprints, exactly, by the blocks that they have in common (multi-index hashing: Norouzi, Punjani, Fleet, 2012). Equal
 * ones are one entry. A search ends at the first that is near, so that many that are near each other cost little; one that is near none
 * is compared with about a hundredth of them, and at worst with each once.
 */
export class NearIndex {
  readonly #entries = new Map<string, number>();
  #bits = new Uint32Array(words * 256);
  /** Of each entry and block, the entry after it with the same bits there; 0: none. */
  #next = new Uint32Array(blocks * 256);
  /** By bucket, the first entry and one more, and the last one; 0: none. */
  readonly #first = new Uint32Array(blocks * keysOfBlock);
  readonly #last = new Uint32Array(blocks * keysOfBlock);
  readonly #counts = new Uint32Array(blocks * keysOfBlock);

  get length(): number {
    return this.#entries.size;
  }

  /** The entry of a fingerprint: that of an equal one, or a new one, which counts up from 0. */
  add({ text, bits, buckets }: FingerprintKey): number {
    const known = this.#entries.get(text);
    if (known !== undefined) return known;
    const entry = this.length;
    if ((entry + 1) * words > this.#bits.length) this.#grow();
    this.#bits.set(bits, entry * words);
    for (const [block, bucket] of buckets.entries()) {
      const last = this.#last[bucket] ?? 0;
      if (last === 0) this.#first[bucket] = entry + 1;
      else this.#next[(last - 1) * blocks + block] = entry + 1;
      this.#last[bucket] = entry + 1;
      this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    }
    this.#entries.set(text, entry);
    return entry;
  }

  /**
   * The first entry that is near a fingerprint or equal to it; null where there is none.
   * @param labels of entries: those that have the label `except` are passed over
   */
  firstNear(key: FingerprintKey, labels?: Int32Array, except?: number): number | null {
    const candidates = key.buckets.reduce((sum, bucket) => sum + (this.#counts[bucket] ?? 0), 0);
    const found =
      candidates * costOfCandidate < this.length
        ? this.#firstCandidate(key, labels, except)
        : this.#firstOfAll(key, labels, except);
    return found < this.length ? found : null;
  }

  #firstCandidate({ bits: wanted, buckets }: FingerprintKey, labels?: Int32Array, except?: number): number {
    let best = this.length;
    for (let block = 0; block < blocks; block += 1) {
      let entry = (this.#first[buckets[block] ?? 0] ?? 0) - 1;
      while (entry >= 0 && entry < best) {
        const isPassed = labels !== undefined && labels[entry] === except;
        if (!isPassed && isNear(this.#bits, entry, wanted)) best = entry;
        entry = (this.#next[entry * blocks + block] ?? 0) - 1;
      }
    }
    return best;
  }

  #firstOfAll({ bits: wanted }: FingerprintKey, labels?: Int32Array, except?: number): number {
    const bits = this.#bits;
    const { length } = this;
    for (let entry = 0; entry < length; entry += 1) {
      if (labels !== undefined && labels[entry] === except) continue;
      if (isNear(bits, entry, wanted)) return entry;
    }
    return length;
  }

  #grow(): void {
    this.#bits = grown(this.#bits);
    this.#next = grown(this.#next);
  }
}

function isNear(bits: Uint32Array, entry: number, wanted: Uint32Array): boolean {
  const at = entry * words;
  // Most differ too much in their first words already.
  let differing = countOnes((bits[at] ?? 0) ^ (wanted[0] ?? 0));
  if (differing > nearBits) return false;
  differing += countOnes((bits[at + 1] ?? 0) ^ (wanted[1] ?? 0));
  if (differing > nearBits) return false;
  differing += countOnes((bits[at + 2] ?? 0) ^ (wanted[2] ?? 0));
  if (differing > nearBits) return false;
  return differing + countOnes((bits[at + 3] ?? 0) ^ (wanted[3] ?? 0)) <= nearBits;
}

function grown(values: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(values.length * 2);
  larger.set(values);
  return larger;
}

/** Bits set in 32, by halves added in parallel (Warren, Hacker's Delight, 5-1). */
export function countOnes(value: number): number {
  let v = value - ((value >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
