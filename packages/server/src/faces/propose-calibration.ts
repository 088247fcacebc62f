import { setImmediate as letOthers } from 'node:timers/promises';
import { ServiceError } from '../core/service-error.js';
import type { Database } from '../storage/database.js';
import {
  type CosineCounts,
  cosineOfBin,
  countCosine,
  createCosineCounts,
  shareFrom,
  totalOf,
} from './cosine-counts.js';
import { dotProduct } from './dot-product.js';
import { chooseMidpoint, fitSlope, type PairCounts } from './fit-calibration.js';
import type { Calibration, Perception } from './perception.js';
import { countRepeatedPeople, type SampledFace, sampleRepeatedPeople } from './sample-people.js';

/** Cosines of pairs as bars of equal width from `from` to `to`: shares of each kind, which add up to 1. */
export interface PairDistributions {
  readonly from: number;
  readonly to: number;
  readonly genuine: readonly number[];
  readonly impostor: readonly number[];
}

const bars = 60;

/** A calibration of a perception's own people, and what it rests on. */
export interface ProposedCalibration {
  readonly calibration: Calibration;
  /** Looked at: people with two images or more, and their images. */
  readonly people: number;
  readonly images: number;
  readonly pairs: { readonly genuine: number; readonly impostor: number };
  /** Of the pairs that were looked at, if faces matched a person from this cosine on. */
  readonly errorsAt: (cosine: number) => PairErrors;
  readonly distributions: PairDistributions;
}

/** Shares, 0 to 1. */
export interface PairErrors {
  /** Of pairs of two people's images, those that reach the cosine. */
  readonly falseMatchRate: number;
  /** Of pairs of one person's images, those that do not. */
  readonly falseNonMatchRate: number;
}

/**
 * Reads stored vectors and changes nothing; `Perceptions.calibrate` takes what it answers. Throws `conflict`, telling how
 * many are needed, when the perception has too few images, and when they cannot be distinguished.
 */
export type ProposeCalibration = (
  accountId: number,
  perception: Pick<Perception, 'id' | 'embedder'>,
) => Promise<ProposedCalibration>;

const minPeople = 25;
const minGenuinePairs = 50;
const maxPeople = 500;
const maxImagesOfPerson = 10;
const maxImpostorPairs = 100_000;
/** Of the chains as they are shipped it is 4e-4 and 2.5e-3. */
const maxFalseMatchRate = 1e-3;
/** Comparisons at a stretch: about a millisecond. */
const stretch = 1000;

export function createProposeCalibration(database: Pick<Database, 'query'>): ProposeCalibration {
  return async (accountId, { id, embedder }) => {
    const gallery = { accountId, perceptionId: id, embedder };
    const there = await countRepeatedPeople(database, gallery);
    if (there < minPeople) {
      throw new ServiceError(
        'conflict',
        `recalibration needs ${minPeople} people with two images or more, and the perception has ${there}`,
      );
    }
    const faces = await sampleRepeatedPeople(database, gallery, maxPeople, maxImagesOfPerson);
    const pairs = await comparePairs(faces);
    const [genuine, impostor] = [totalOf(pairs.genuine), totalOf(pairs.impostor)];
    if (genuine < minGenuinePairs) {
      throw new ServiceError(
        'conflict',
        `recalibration needs ${minGenuinePairs} pairs of different images of one person, and the perception has ${genuine}: add images of people that have two`,
      );
    }
    const midpoint = chooseMidpoint(pairs, maxFalseMatchRate);
    const slope = fitSlope(pairs, midpoint);
    // Sums of shares end a little off 0 and 1.
    const errorsAt = (cosine: number) => ({
      falseMatchRate: Math.min(1, shareFrom(pairs.impostor, cosine)),
      falseNonMatchRate: Math.max(0, 1 - shareFrom(pairs.genuine, cosine)),
    });
    if (slope === 0 || errorsAt(midpoint).falseNonMatchRate > 0.5) {
      throw new ServiceError(
        'conflict',
        'the images of one person are no more alike than those of two: check that each image is of the person that it stands under',
      );
    }
    return {
      calibration: { midpoint, slope },
      people: new Set(faces.map(({ personId }) => personId)).size,
      images: faces.length,
      pairs: { genuine, impostor },
      errorsAt,
      distributions: drawDistributions(pairs),
    };
  };
}

/** One person's pairs all, two people's up to a bound, spread evenly; the very same image twice is no pair. */
async function comparePairs(faces: readonly SampledFace[]): Promise<PairCounts> {
  const counts = { genuine: createCosineCounts(), impostor: createCosineCounts() };
  let compared = 0;
  for (const [a, b] of choosePairs(faces)) {
    if (a.sha256 === b.sha256) continue;
    countCosine(a.personId === b.personId ? counts.genuine : counts.impostor, dotProduct(a.vector, b.vector));
    compared += 1;
    if (compared % stretch === 0) await letOthers();
  }
  return counts;
}

/** Images of a person stand together. */
function* choosePairs(faces: readonly SampledFace[]): Iterable<readonly [SampledFace, SampledFace]> {
  for (const [index, face] of faces.entries()) {
    for (let next = index + 1; faces[next]?.personId === face.personId; next += 1) {
      const other = faces[next];
      if (other) yield [face, other];
    }
  }
  // Every image with those at so many places further on, around the end; less than half the way meets no pair twice.
  const distances = Math.floor((faces.length - 1) / 2);
  const rounds = Math.min(distances, Math.ceil(maxImpostorPairs / faces.length));
  for (let round = 1; round <= rounds; round += 1) {
    const distance = Math.ceil((round * distances) / rounds);
    for (const [index, face] of faces.entries()) {
      const other = faces[(index + distance) % faces.length];
      if (other && other.personId !== face.personId) yield [face, other];
    }
  }
}

/** Over the cosines that there are: an embedder may use a small part of -1 to 1 only. */
export function drawDistributions({ genuine, impostor }: PairCounts): PairDistributions {
  const used = (_: unknown, bin: number) => (genuine.bins[bin] ?? 0) + (impostor.bins[bin] ?? 0) > 0;
  const [first, last] = [genuine.bins.findIndex(used), genuine.bins.findLastIndex(used)];
  const span = last - first + 1;
  const sharesOf = (counts: CosineCounts) => {
    const shares = new Array<number>(bars).fill(0);
    const total = totalOf(counts) || 1;
    for (let bin = first; bin <= last; bin += 1) {
      const bar = Math.floor(((bin - first) * bars) / span);
      shares[bar] = (shares[bar] ?? 0) + (counts.bins[bin] ?? 0) / total;
    }
    return shares;
  };
  return {
    from: cosineOfBin(first - 0.5),
    to: cosineOfBin(last + 0.5),
    genuine: sharesOf(genuine),
    impostor: sharesOf(impostor),
  };
}
