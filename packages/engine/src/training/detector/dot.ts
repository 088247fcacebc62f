/**
 * Sum of `length` products, in four accumulators: a single one waits for every addition. It takes less than half the time of one
 * that adds offsets at every element.
 */
export function dotAt(
  a: Float32Array,
  aFrom: number,
  b: Float32Array,
  bFrom: number,
  length: number,
): number {
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  const end = aFrom + length;
  let i = aFrom;
  let j = bFrom;
  for (; i < end - 3; i += 4, j += 4) {
    first += (a[i] ?? 0) * (b[j] ?? 0);
    second += (a[i + 1] ?? 0) * (b[j + 1] ?? 0);
    third += (a[i + 2] ?? 0) * (b[j + 2] ?? 0);
    fourth += (a[i + 3] ?? 0) * (b[j + 3] ?? 0);
  }
  for (; i < end; i++, j++) first += (a[i] ?? 0) * (b[j] ?? 0);
  return first + second + third + fourth;
}
