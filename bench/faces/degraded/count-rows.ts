import type { FaceQuality } from '@lynceus/engine';
import { isDegraded, isPairDegraded } from '#server/faces/degraded.js';
import type { Half } from '../../half.js';
import { undamaged } from './kinds.js';

/** A face as it was found in a degraded image; none was found where `face` is undefined. */
export interface Observation {
  readonly portrait: string;
  readonly person: string;
  readonly half: Half;
  readonly title: string;
  readonly variant: number;
  readonly face:
    | {
        readonly embedding: Float32Array | undefined;
        readonly quality: Pick<FaceQuality, 'problems' | 'doubt'>;
      }
    | undefined;
}

export interface Hits {
  readonly hits: number;
  /** Of them, those that no doubt about the faces excludes: a match for the service. */
  readonly answered: number;
  /** Pairs of which both images have a face with an embedding; others cannot match. */
  readonly compared: number;
  readonly pairs: number;
  /** The same of pairs of people, some of whose images were compared: those with an answered match, and all. */
  readonly people: { readonly answered: number; readonly compared: number };
}

export interface DegradedRow {
  readonly title: string;
  readonly half: Half;
  /** Two people: one side degraded, the other as it is; and both degraded in the same way. */
  readonly oneSide: Hits;
  readonly bothSides: Hits;
  /** Two photographs of one person, one of them degraded. */
  readonly genuine: Hits;
  /** Shares of the images. */
  readonly found: number;
  readonly flagged: number;
  /** Those that no other such face is taken for: flagged, or in doubt. */
  readonly doubtful: number;
}

/** Pairs of people are of one half: constants were chosen on the other. */
export function countRows(
  observations: readonly Observation[],
  {
    half,
    decisionCosine,
    doubtfulCosine,
  }: { readonly half: Half; readonly decisionCosine: number; readonly doubtfulCosine: number },
): DegradedRow[] {
  const own = observations.filter((one) => one.half === half);
  const portraits = own.filter(({ title }) => title === undamaged);
  const lookalikes = findLookalikes(portraits, decisionCosine);
  const areStrangers = (one: Observation, other: Observation, title: string) =>
    one.person !== other.person && (title === undamaged || !lookalikes.has(pairOf([one, other])));
  const titles = [...new Set(own.map(({ title }) => title))];
  return titles.map((title) => {
    const some = own.filter((one) => one.title === title);
    const count = (pairs: readonly (readonly [Observation, Observation])[]): Hits => {
      const compared = pairs.filter((pair) => pair.every(({ face }) => face?.embedding !== undefined));
      const hits = compared.filter(([a, b]) => cosine(a, b) >= decisionCosine);
      const answered = hits.filter(
        ([one, other]) =>
          one.face &&
          other.face &&
          !isPairDegraded(one.face.quality, other.face.quality, {
            cosine: cosine(one, other),
            doubtfulCosine,
          }),
      );
      return {
        hits: hits.length,
        answered: answered.length,
        compared: compared.length,
        pairs: pairs.length,
        people: { answered: peopleOf(answered), compared: peopleOf(compared) },
      };
    };
    const against = (isGenuine: boolean) =>
      some.flatMap((one) =>
        portraits
          .filter((other) =>
            isGenuine
              ? other.person === one.person && other.portrait !== one.portrait
              : areStrangers(one, other, title),
          )
          .map((other) => [one, other] as const),
      );
    const alike = some.flatMap((one, index) =>
      some
        .slice(index + 1)
        .filter((other) => other.variant === one.variant && areStrangers(one, other, title))
        .map((other) => [one, other] as const),
    );
    const faces = some.flatMap(({ face }) => face ?? []);
    const share = (applies: (face: (typeof faces)[number]) => boolean) =>
      faces.filter(applies).length / Math.max(1, faces.length);
    return {
      title,
      half,
      oneSide: count(against(false)),
      bothSides: count(alike),
      genuine: count(against(true)),
      found: faces.length / some.length,
      flagged: share(({ quality }) => isDegraded(quality)),
      doubtful: share(({ quality }) => isPairDegraded(quality, quality, { cosine: -1, doubtfulCosine })),
    };
  });
}

/** Two people who match as they are would match in every row, whatever the damage: they count where nothing is damaged. */
function findLookalikes(portraits: readonly Observation[], decisionCosine: number): ReadonlySet<string> {
  const pairs = portraits.flatMap((one, index) =>
    portraits.slice(index + 1).map((other) => [one, other] as const),
  );
  return new Set(
    pairs.filter(([a, b]) => a.person !== b.person && cosine(a, b) >= decisionCosine).map(pairOf),
  );
}

/** Pairs of people among pairs of images: images of the same people are no independent trials. */
function peopleOf(pairs: readonly (readonly [Observation, Observation])[]): number {
  return new Set(pairs.map(pairOf)).size;
}

function pairOf(pair: readonly Observation[]): string {
  return JSON.stringify(pair.map(({ person }) => person).sort());
}

function cosine({ face: a }: Observation, { face: b }: Observation): number {
  if (!a?.embedding || !b?.embedding) return -1;
  let sum = 0;
  for (const [at, value] of a.embedding.entries()) sum += value * (b.embedding[at] ?? 0);
  return sum;
}
