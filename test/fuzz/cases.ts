/** `npm test` runs each count once, 16,400 in all; `FUZZ_TIMES=10 npm test -- fuzz` is the full form. */
const times = Number(process.env['FUZZ_TIMES'] || '1');

export function cases(count: number): { readonly numRuns: number; readonly timeout: number } {
  // Far above what any case takes: what is caught is time that grows with the square, or never ends.
  return { numRuns: Math.round(count * times), timeout: 60_000 };
}

/** For `test`: 20,000 slow cases on a busy machine. */
export const fuzzing = { timeout: 300_000 * times };
