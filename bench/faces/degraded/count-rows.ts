import type { FaceProblem } from '@lynceus/engine';
import { isDegraded } from '#server/faces/degraded.js';
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
    | { readonly embedding: Float32Array | undefined; readonly problems: readonly FaceProblem[] }
    | undefined;
}

export interface Hits {
  readonly hits: number;
  /** Of them, those of which neither face is degraded: a match for the service. */
  readonly answered: number;
  /** Pairs of which both images have a face with an embedding; others cannot match. */
  readonly compared: number;
  readonly pairs: number;
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
}

/** Pairs of people are of one half: constants were chosen on the other. */
export function countRows(
  observations: readonly Observation[],
  { half, decisionCosine }: { readonly half: Half; readonly decisionCosine: number },
): DegradedRow[] {
  const own = observations.filter((one) => one.half === half);
  const portraits = own.filter(({ title }) => title === undamaged);
  const titles = [...new Set(own.map(({ title }) => title))];
  return titles.map((title) => {
    const some = own.filter((one) => one.title === title);
    const count = (pairs: readonly (readonly [Observation, Observation])[]): Hits => {
      const compared = pairs.filter((pair) => pair.every(({ face }) => face?.embedding !== undefined));
      const hits = compared.filter(([a, b]) => cosine(a, b) >= decisionCosine);
      const answered = hits.filter((pair) => !pair.some(({ face }) => face && isDegraded(face)));
      return {
        hits: hits.length,
        answered: answered.length,
        compared: compared.length,
        pairs: pairs.length,
      };
    };
    const against = (isGenuine: boolean) =>
      some.flatMap((one) =>
        portraits
          .filter((other) => (other.person === one.person) === isGenuine && other.portrait !== one.portrait)
          .map((other) => [one, other] as const),
      );
    const alike = some.flatMap((one, index) =>
      some
        .slice(index + 1)
        .filter(({ person, variant }) => person !== one.person && variant === one.variant)
        .map((other) => [one, other] as const),
    );
    const faces = some.flatMap(({ face }) => face ?? []);
    return {
      title,
      half,
      oneSide: count(against(false)),
      bothSides: count(alike),
      genuine: count(against(true)),
      found: faces.length / some.length,
      flagged: faces.filter(isDegraded).length / Math.max(1, faces.length),
    };
  });
}

function cosine({ face: a }: Observation, { face: b }: Observation): number {
  if (!a?.embedding || !b?.embedding) return -1;
  let sum = 0;
  for (const [at, value] of a.embedding.entries()) sum += value * (b.embedding[at] ?? 0);
  return sum;
}
