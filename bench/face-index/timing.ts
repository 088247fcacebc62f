/** Times of repeated work. */
export interface Times {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Does the work one after another, a few times unmeasured first. */
export async function timeEach(
  count: number,
  work: (at: number) => Promise<unknown> | unknown,
): Promise<Times> {
  const warmUps = Math.min(5, count);
  for (let at = 0; at < warmUps; at += 1) await work(at);
  const timesMs: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const startedAt = performance.now();
    await work(warmUps + at);
    timesMs.push(performance.now() - startedAt);
  }
  return timesOf(timesMs);
}

export function timesOf(timesMs: readonly number[]): Times {
  const sorted = [...timesMs].sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

export function ms(value: number): string {
  return value < 10 ? value.toFixed(2) : value.toFixed(value < 100 ? 1 : 0);
}
