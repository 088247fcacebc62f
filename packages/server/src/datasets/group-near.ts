import { NearIndex } from './near-index.js';

/**
 * A number for each fingerprint, the same for those that are near each other, directly or through others.
 * @param pause called after each, so that other work goes on
 */
export async function groupNear(
  fingerprints: readonly string[],
  pause: () => Promise<void> | undefined,
): Promise<readonly number[]> {
  const index = new NearIndex();
  /** Of each entry, another one of its group; itself in the first of a group. */
  const parents: number[] = [];
  const rootOf = (start: number): number => {
    let at = start;
    while (parents[at] !== undefined && parents[at] !== at) {
      const above: number = parents[parents[at] ?? at] ?? at;
      parents[at] = above;
      at = above;
    }
    return at;
  };
  const entries: number[] = [];
  for (const fingerprint of fingerprints) {
    const near: number[] = [];
    const entry = index.add(fingerprint, (other) => near.push(rootOf(other)));
    parents[entry] ??= entry;
    for (const root of near) parents[rootOf(root)] = rootOf(entry);
    entries.push(entry);
    await pause();
  }
  return entries.map(rootOf);
}
