/** Items that are sorted, or merged, between two pauses. */
const itemsAtOnce = 1000;

/**
 * Sorts as `toSorted` does, so that other work goes on meanwhile: short runs are sorted, and then merged with each other.
 * @param pause called after each thousand items of each step
 */
export async function sortWithPauses<T extends object>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  pause: () => Promise<void> | undefined,
): Promise<readonly T[]> {
  let runs: (readonly T[])[] = [];
  for (let at = 0; at < items.length; at += itemsAtOnce) {
    runs.push(items.slice(at, at + itemsAtOnce).sort(compare));
    await pause();
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], compare, pause));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<T extends object>(
  first: readonly T[],
  second: readonly T[],
  compare: (a: T, b: T) => number,
  pause: () => Promise<void> | undefined,
): Promise<readonly T[]> {
  const merged: T[] = [];
  let [at, other] = [0, 0];
  for (;;) {
    const [a, b] = [first[at], second[other]];
    const next = a && (!b || compare(a, b) <= 0) ? a : b;
    if (!next) return merged;
    if (next === a) at += 1;
    else other += 1;
    merged.push(next);
    if (merged.length % itemsAtOnce === 0) await pause();
  }
}
