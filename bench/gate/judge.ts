import type { Known, KnownRatios } from './baseline.js';

/** A ratio changes by this share at least before it counts as changed, however small its spread was. */
const leastTolerance = 0.05;
/** The same of a baseline of fewer runs than show how much a ratio varies. */
const fewRuns = { below: 3, leastTolerance: 0.15 } as const;
/** Few runs find few of the extremes. */
const spreadsAllowed = 2;

export interface Judged {
  readonly name: string;
  /** Undefined: it was not measured. */
  readonly now: number | undefined;
  readonly known: Known | undefined;
  /** `better`: above the bounds, so that the baseline may be renewed. */
  readonly verdict: 'within' | 'worse' | 'better' | 'not measured' | 'no baseline';
}

/** The least and the largest value that do not count as changed. */
export function boundsOf({ median, spread, runs }: Known): { readonly low: number; readonly high: number } {
  const least = runs < fewRuns.below ? fewRuns.leastTolerance : leastTolerance;
  const tolerance = Math.max(least, spreadsAllowed * spread);
  return { low: median * (1 - tolerance), high: median * (1 + tolerance) };
}

/**
 * Each ratio that was measured or is known, against the baseline of this CPU class. More is better.
 * @param known Undefined: the class has no baseline.
 */
export function judge(measured: ReadonlyMap<string, number>, known: KnownRatios | undefined): Judged[] {
  const names = new Set([...measured.keys(), ...Object.keys(known ?? {})]);
  return [...names].map((name) => judgeOne(name, measured.get(name), known?.[name]));
}

function judgeOne(name: string, now: number | undefined, known: Known | undefined): Judged {
  if (now === undefined) return { name, now, known, verdict: 'not measured' };
  if (known === undefined) return { name, now, known, verdict: 'no baseline' };
  const { low, high } = boundsOf(known);
  // A ratio that is no number has lost its meaning, and must not pass.
  if (!(now >= low)) return { name, now, known, verdict: 'worse' };
  return { name, now, known, verdict: now > high ? 'better' : 'within' };
}

/** What repeated runs gave, as a baseline of these ratios. */
export function summarise(runs: readonly ReadonlyMap<string, number>[], date: string): KnownRatios {
  const names = new Set(runs.flatMap((run) => [...run.keys()]));
  return Object.fromEntries(
    [...names].map((name) => {
      const values = runs.map((run) => run.get(name)).filter((value) => value !== undefined);
      const middle = median(values);
      const spread = Math.max(...values.map((value) => Math.abs(value - middle))) / middle;
      return [name, { median: round(middle), spread: round(spread), runs: values.length, date }];
    }),
  );
}

/** Of an even number of values the mean of the two in the middle; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}

function round(value: number): number {
  return Number(value.toFixed(4));
}
