import { randomInt } from 'node:crypto';

/**
 * What chance decides in the kill tests, by the seed of `KILL_SEED` or by a new one. The same seed deals the same moments and
 * operations; which client is served first stays open.
 */
export const seed = Number(process.env['KILL_SEED'] ?? randomInt(2 ** 32));

/** A number in [0, 1). */
export const random = randomOf(seed);

/** Mulberry32 by Tommy Ettinger. */
export function randomOf(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function between(min: number, max: number): number {
  return min + random() * (max - min);
}

/** Any of them; undefined when there is none. */
export function pick<Item>(items: readonly Item[]): Item | undefined {
  return items[Math.floor(random() * items.length)];
}

/** So many of them by chance, or all where there are fewer. */
export function anyOf<Item>(items: readonly Item[], count: number): readonly Item[] {
  const byChance = items.map((item) => ({ item, at: random() })).sort((a, b) => a.at - b.at);
  return byChance.slice(0, count).map(({ item }) => item);
}
