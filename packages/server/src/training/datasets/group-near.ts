import { NearIndex, toKey, words } from './near-index.js';

/**
 * A number for each fingerprint, the same for those that are near each other, directly or through others. For a thread, as
 * `findFirstNear`.
 * @param bits fingerprints, of four numbers each
 */
export function groupNear(bits: Uint32Array): Int32Array<ArrayBuffer> {
  const count = bits.length / words;
  const index = new NearIndex();
  /** Of each entry; always up to date, so that a search passes over the group that it starts from. */
  const groups = new Int32Array(count);
  const members: number[][] = [];
  const join = (one: number, other: number) => {
    const [larger, smaller] =
      (members[one]?.length ?? 0) < (members[other]?.length ?? 0) ? [other, one] : [one, other];
    // The smaller one moves: each entry moves as often as its group doubles at most.
    for (const entry of members[smaller] ?? []) {
      groups[entry] = larger;
      members[larger]?.push(entry);
    }
    members[smaller] = [];
  };
  const entries = new Int32Array(count);
  for (let place = 0; place < count; place += 1) {
    const { length } = index;
    const key = toKey(bits, place);
    const entry = index.add(key);
    entries[place] = entry;
    if (entry < length) continue;
    groups[entry] = entry;
    members[entry] = [entry];
    for (;;) {
      const near = index.firstNear(key, groups, groups[entry]);
      if (near === null) break;
      join(groups[near] ?? near, groups[entry] ?? entry);
    }
  }
  return entries.map((entry) => groups[entry] ?? entry);
}
