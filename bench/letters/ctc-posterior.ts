/**
 * The loss of CTC and what each step owes to each position of a label, by the forward-backward algorithm (Graves, Fernandez,
 * Gomez, Schmidhuber 2006), in logarithms.
 * @param logProbabilities [steps, positions]: of the blank and each character of the label, alternating: blank, first
 *   character, blank, …, blank
 * @param label the label's characters as numbers: equal neighbours need a blank between them
 * @param posterior [steps, positions], written: the probability that a step belongs to a position
 * @returns -log of the label's probability; Infinity where the steps are too few, and then nothing is written
 */
export function ctcPosterior(
  logProbabilities: Float64Array,
  label: ArrayLike<number>,
  steps: number,
  posterior: Float64Array,
): number {
  const positions = 2 * label.length + 1;
  const forward = new Float64Array(steps * positions).fill(-Infinity);
  const backward = new Float64Array(steps * positions).fill(-Infinity);
  const at = (row: Float64Array, index: number) => row[index] ?? -Infinity;
  /** Whether a path may come to a position from two before it. */
  const skips = (position: number) =>
    position % 2 === 1 && position >= 3 && label[(position - 1) / 2] !== label[(position - 3) / 2];
  forward[0] = at(logProbabilities, 0);
  if (positions > 1) forward[1] = at(logProbabilities, 1);
  for (let step = 1; step < steps; step += 1) {
    const [here, before] = [step * positions, (step - 1) * positions];
    for (let position = 0; position < positions; position += 1) {
      let sum = at(forward, before + position);
      if (position >= 1) sum = logAdd(sum, at(forward, before + position - 1));
      if (skips(position)) sum = logAdd(sum, at(forward, before + position - 2));
      forward[here + position] = sum + at(logProbabilities, here + position);
    }
  }
  const end = steps * positions - 1;
  const total = positions > 1 ? logAdd(at(forward, end), at(forward, end - 1)) : at(forward, end);
  if (total === -Infinity) return Infinity;
  backward[end] = 0;
  if (positions > 1) backward[end - 1] = 0;
  for (let step = steps - 2; step >= 0; step -= 1) {
    const [here, after] = [step * positions, (step + 1) * positions];
    const next = (position: number) =>
      at(backward, after + position) + at(logProbabilities, after + position);
    for (let position = 0; position < positions; position += 1) {
      let sum = next(position);
      if (position + 1 < positions) sum = logAdd(sum, next(position + 1));
      if (position + 2 < positions && skips(position + 2)) sum = logAdd(sum, next(position + 2));
      backward[here + position] = sum;
    }
  }
  for (let index = 0; index < steps * positions; index += 1) {
    posterior[index] = Math.exp(at(forward, index) + at(backward, index) - total);
  }
  return -total;
}

function logAdd(a: number, b: number): number {
  if (a === -Infinity) return b;
  if (b === -Infinity) return a;
  return a > b ? a + Math.log1p(Math.exp(b - a)) : b + Math.log1p(Math.exp(a - b));
}
