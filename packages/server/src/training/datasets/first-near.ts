import { type FingerprintKey, NearIndex, toKey, words } from './near-index.js';

/** For each image the place of the first one before it that it resembles; -1: none. */
export interface FirstNear {
  /** Of all. */
  readonly like: Int32Array<ArrayBuffer>;
  /** Of those on the other side of the split. */
  readonly leaked: Int32Array<ArrayBuffer>;
}

/** Sides of the split, as numbers. */
export const sideOf = { none: 0, train: 1, 'held-out': 2 } as const;

/** Images that came first with their fingerprint, of one side. */
interface Side {
  readonly index: NearIndex;
  /** Of each entry of the index. */
  readonly places: number[];
}

/**
 * Takes a second for 50,000 photographs, and some twenty where someone made them so that much is alike and little near: for a thread.
 * @param bits fingerprints, in the order of the images
 * @param sides of each image, see `sideOf`
 */
export function findFirstNear(bits: Uint32Array, sides: Uint8Array): FirstNear {
  const seen: readonly Side[] = Object.values(sideOf).map(() => ({ index: new NearIndex(), places: [] }));
  const firstOf = (key: FingerprintKey, { index, places }: Side): number => {
    const entry = index.firstNear(key);
    return entry === null ? Infinity : (places[entry] ?? Infinity);
  };
  const count = bits.length / words;
  const [like, leaked] = [new Int32Array(count), new Int32Array(count)];
  for (let place = 0; place < count; place += 1) {
    const key = toKey(bits, place);
    const firsts = seen.map((side) => firstOf(key, side));
    const side = sides[place] ?? sideOf.none;
    const other =
      side === sideOf.none ? Infinity : (firsts[sideOf.train + sideOf['held-out'] - side] ?? Infinity);
    const first = Math.min(...firsts);
    like[place] = first === Infinity ? -1 : first;
    leaked[place] = other === Infinity ? -1 : other;
    const own = seen[side];
    if (own) own.places[own.index.add(key)] ??= place;
  }
  return { like, leaked };
}
