/**
 * A small seeded generator (mulberry32, Ettinger 2017) so that a benchmark's interval is the same at every run.
 * Values in [0, 1).
 */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * 95 % percentile interval of a statistic over images drawn with replacement (Efron 1979). The statistic gets the number
 * of draws of each image; giving the difference of two systems makes it paired.
 */
export function bootstrapInterval(
  images: number,
  statistic: (weights: readonly number[]) => number,
  { rounds = 1000, seed = 1 } = {},
): Interval {
  const random = seededRandom(seed);
  const values = Array.from({ length: rounds }, () => {
    const weights = new Array<number>(images).fill(0);
    for (let drawn = 0; drawn < images; drawn++) {
      const image = Math.floor(random() * images);
      weights[image] = (weights[image] ?? 0) + 1;
    }
    return statistic(weights);
  }).sort((a, b) => a - b);
  const at = (share: number) => values[Math.min(rounds - 1, Math.floor(share * rounds))] ?? Number.NaN;
  return { low: at(0.025), high: at(0.975) };
}
