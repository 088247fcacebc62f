import type { FaceChainName } from '@lynceus/engine';
import { bootstrapInterval, type Interval, seededRandom } from '../accuracy/bootstrap.js';
import { readCoco } from '../accuracy/datasets.js';
import type { BenchEngine } from '../engine.js';
import { share } from '../table.js';
import { divide, shuffle } from './divisions.js';
import { openBenchFaces } from './open-database.js';
import type { Portrait } from './people.js';

/** Of one person or, among strangers, of one photograph: what came out over all divisions. */
interface Tally {
  /** Probes of them when they were enrolled; the best candidate was they; that, and a match. */
  probes: number;
  first: number;
  identified: number;
  /** Faces of them when they were strangers, and those that matched a person. */
  strange: number;
  taken: number;
}

const newTally = (): Tally => ({ probes: 0, first: 0, identified: 0, strange: 0, taken: 0 });

export interface OpenSetFigures {
  readonly divisions: number;
  readonly rounds: number;
  /** Shares with their 95 % intervals, people (or photographs) drawn with replacement. */
  readonly rows: readonly (readonly string[])[];
}

/** Faces smaller than this in photographs of streets are ignored. */
const minStrangerPx = 32;

/**
 * Half of the people enrolled with about half of their photographs, their other photographs and all of the other people's
 * searched for, over all ways of dividing the people; images in, judgements of the face database out.
 */
export async function measureOpenSet(
  engine: BenchEngine,
  chain: FaceChainName,
  { data, portraits, splits }: { data: string; portraits: readonly Portrait[]; splits: number },
): Promise<OpenSetFigures> {
  const random = seededRandom(1);
  const names = [...new Set(portraits.map(({ person }) => person))];
  const divisions = divide(names.length, splits, random);
  const repeats = Math.max(1, Math.floor(splits / divisions.length));
  const people = new Map(names.map((name) => [name, newTally()]));
  const street = await readCoco(data);
  const photos = new Map(street.map(({ name }) => [name, newTally()]));

  const { accountId, faces, database, close } = await openBenchFaces(engine, chain);
  const { signal } = new AbortController();
  try {
    for (const division of Array.from({ length: repeats }, () => divisions).flat()) {
      const perception = await faces.perceptions.create(accountId, { name: 'half' });
      const enrolled = new Set(division.map((index) => names[index]));
      const probes: Portrait[] = portraits.filter(({ person }) => !enrolled.has(person));
      for (const keyId of names.filter((name) => enrolled.has(name))) {
        const own = shuffle(
          portraits.filter(({ person }) => person === keyId),
          random,
        );
        const kept = Math.ceil(own.length / 2);
        probes.push(...own.slice(kept));
        for (const { bytes } of own.slice(0, kept)) {
          const image = { source: { kind: 'bytes', bytes }, signal, acceptsDegraded: true } as const;
          await faces.enrolment.add(accountId, perception, { keyId }, image, (unit) => database.write(unit));
        }
      }
      const search = async (bytes: Buffer) =>
        (await faces.search.search(accountId, perception, { source: { kind: 'bytes', bytes }, signal }))
          .faces;
      for (const { person, bytes } of probes) {
        const tally = people.get(person) ?? newTally();
        const best = (await search(bytes))[0]?.candidates[0];
        if (!enrolled.has(person)) {
          tally.strange += 1;
          if (best?.isMatch) tally.taken += 1;
          continue;
        }
        tally.probes += 1;
        if (best?.person.keyId !== person) continue;
        tally.first += 1;
        if (best.isMatch) tally.identified += 1;
      }
      for (const { name, bytes } of street) {
        const tally = photos.get(name) ?? newTally();
        for (const { face, candidates } of await search(bytes)) {
          if (face.quality.sizePx < minStrangerPx) continue;
          tally.strange += 1;
          if (candidates[0]?.isMatch) tally.taken += 1;
        }
      }
      await faces.deletion.removePerception(accountId, perception.id);
    }
  } finally {
    await close();
  }
  const [ofPeople, ofPhotos] = [[...people.values()], [...photos.values()]];
  return {
    divisions: divisions.length,
    rounds: divisions.length * repeats,
    rows: [
      rowOf('rank-1: the best candidate is the person', ofPeople, 'first', 'probes'),
      rowOf('false negative identification rate', ofPeople, 'identified', 'probes', true),
      rowOf('false positive identification rate', ofPeople, 'taken', 'strange'),
      rowOf('the same, people in photographs of the street', ofPhotos, 'taken', 'strange'),
    ],
  };
}

function rowOf(
  title: string,
  tallies: readonly Tally[],
  count: keyof Tally,
  of: keyof Tally,
  isMissing = false,
): readonly string[] {
  const rate = (weights?: readonly number[]) => {
    const sum = (what: keyof Tally) =>
      tallies.reduce((total, tally, index) => total + tally[what] * (weights?.[index] ?? 1), 0);
    const found = sum(count) / (sum(of) || 1);
    return isMissing ? 1 - found : found;
  };
  const asked = tallies.filter((tally) => tally[of] > 0).length;
  const { low, high } = boundOfNone(asked, rate()) ?? bootstrapInterval(tallies.length, rate);
  const trials = tallies.reduce((total, tally) => total + tally[of], 0);
  return [title, share(rate()), `${share(low)} to ${share(high)}`, String(trials)];
}

/**
 * Where all outcomes are equal, resampling has no variance: then the exact bound for as many
 * people, each one trial (Clopper and Pearson 1934).
 */
function boundOfNone(people: number, rate: number): Interval | null {
  const bound = 0.025 ** (1 / people);
  if (rate === 0) return { low: 0, high: 1 - bound };
  return rate === 1 ? { low: bound, high: 1 } : null;
}
