import { readFile, writeFile } from 'node:fs/promises';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';

/** A ratio as it was measured repeatedly on machines of one CPU class. Of every ratio, more is better. */
const Known = Type.Object({
  median: Type.Number({ exclusiveMinimum: 0 }),
  /** Largest distance of a run from the median, as a share of the median. */
  spread: Type.Number({ minimum: 0 }),
  runs: Type.Integer({ minimum: 1 }),
  /** UTC, as `2026-01-31`. */
  date: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' }),
});
export type Known = Static<typeof Known>;

/** Ratios by name. */
const KnownRatios = Type.Record(Type.String(), Known);
export type KnownRatios = Static<typeof KnownRatios>;

/** By CPU class. */
const Baseline = Type.Record(Type.String(), KnownRatios);
export type Baseline = Static<typeof Baseline>;

/** From `bench/dist/gate`. */
const path = new URL('../../baseline.json', import.meta.url);

/** Throws Error where the file is missing or has another form. */
export async function readBaseline(): Promise<Baseline> {
  const content: unknown = JSON.parse(await readFile(path, 'utf8'));
  if (!Value.Check(Baseline, content)) throw new Error('bench/baseline.json has another form');
  return content;
}

export async function writeBaseline(baseline: Baseline): Promise<void> {
  await writeFile(path, `${JSON.stringify(baseline, null, 2)}\n`);
}
