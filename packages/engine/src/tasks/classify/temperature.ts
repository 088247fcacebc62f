/** Below this a probability counts as this: a power of 0 would stay 0 at any temperature. */
const least = 1e-12;

/** Probabilities p at a temperature T (Guo et al. 2017): p^(1/T), divided by their sum. 1 leaves them as they are. */
export function atTemperature(probabilities: ArrayLike<number>, temperature: number): Float64Array {
  const warm = Float64Array.from(probabilities, (each) => Math.max(each, least) ** (1 / temperature));
  const sum = warm.reduce((total, each) => total + each, 0);
  return warm.map((each) => each / sum);
}
