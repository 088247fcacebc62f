/** Numbers of a normal distribution with mean 0 and deviation 1 (Box and Muller 1958), from numbers in [0, 1). */
export function normalFrom(random: () => number): () => number {
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** A number between two. */
export function between(random: () => number, low: number, high: number): number {
  return low + (high - low) * random();
}
