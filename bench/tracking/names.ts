import { createNameVotes, type FaceVote, type NameOptions } from '#server/streams/tracking/name-votes.js';
import { seededRandom } from '../accuracy/bootstrap.js';
import { between, normalFrom } from './random.js';

/** One person in front of a camera, with what the recognition of each frame says. */
export interface FaceTrack {
  /** Null for a stranger. */
  readonly personId: number | null;
  readonly looks: readonly FaceVote[];
}

const people = 20;
const framesPerSecond = 3;

/**
 * People and strangers for 3 to 20 seconds each. Poses last, so that quality and mistakes come in bursts, and two thirds of the mistakes
 * of a track are for the same other person.
 * @param errorRate share of the looks of people that give another name; strangers get one half as often
 */
export function simulateFaceTracks(count: number, errorRate: number, seed: number): FaceTrack[] {
  const random = seededRandom(seed);
  const normal = normalFrom(random);
  return Array.from({ length: count }, () => {
    const personId = random() < 0.7 ? Math.floor(random() * people) : null;
    const lookalike = other(personId, random);
    const looks: FaceVote[] = [];
    const endMs = between(random, 3000, 20_000);
    let pose = normal();
    let isWrong = false;
    for (let atMs = 0; atMs < endMs; atMs += (1000 / framesPerSecond) * between(random, 0.7, 1.4)) {
      pose = 0.8 * pose + 0.6 * normal();
      const quality = 1 / (1 + Math.exp(-pose));
      // A mistake lasts two looks and a half; poor faces have most of them.
      const rate = 2 * (1 - quality) * errorRate * (personId === null ? 0.5 : 1);
      isWrong = isWrong ? random() < 0.6 : random() < (0.4 * rate) / Math.max(0.05, 1 - rate);
      if (random() < 0.35) continue;
      const logOdds = isWrong
        ? Math.abs(0.5 + 0.6 * normal())
        : personId === null
          ? -1
          : 0.3 + 2.5 * quality + 0.8 * normal();
      const found = isWrong ? (random() < 2 / 3 ? lookalike : other(personId, random)) : personId;
      looks.push({ atMs: Math.round(atMs), quality, person: named(found, logOdds) });
    }
    return { personId, looks };
  });
}

function named(personId: number | null, logOdds: number): FaceVote['person'] {
  if (personId === null || logOdds <= 0) return null;
  return { personId, name: `person ${personId}`, similarity: 1 / (1 + Math.exp(-logOdds)) };
}

function other(personId: number | null, random: () => number): number {
  const drawn = Math.floor(random() * (people - 1));
  return personId !== null && drawn >= personId ? drawn + 1 : drawn;
}

/** Names the person of a track look by look: the names that were ever shown, the last of them last. */
export type Namer = (looks: readonly FaceVote[]) => (number | null)[];

/** Each look by itself. */
export const singleLook: Namer = (looks) => looks.map(({ person }) => person?.personId ?? null);

/** The name that most looks so far gave. */
export const majority: Namer = (looks) => {
  const counts = new Map<number, number>();
  return looks.map(({ person }) => {
    if (person) counts.set(person.personId, (counts.get(person.personId) ?? 0) + 1);
    return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null;
  });
};

export function byVotes(options?: Partial<NameOptions>): Namer {
  return (looks) => {
    const votes = createNameVotes(options);
    return looks.map((look) => {
      votes.add(look);
      return votes.person?.personId ?? null;
    });
  };
}

/** Shares of tracks, 0 to 1. */
export interface NameFigures {
  /** Of people: named rightly at the end, wrongly at the end, wrongly at any time. */
  readonly right: number;
  readonly wrong: number;
  readonly everWrong: number;
  /** Of strangers: with a name at the end, at any time. */
  readonly strangersNamed: number;
  readonly strangersEverNamed: number;
}

export function judgeNames(tracks: readonly FaceTrack[], namer: Namer): NameFigures {
  const judged = tracks.map(({ personId, looks }) => {
    const names = namer(looks);
    const last = names.at(-1) ?? null;
    return {
      isKnown: personId !== null,
      isRight: personId !== null && last === personId,
      isWrong: last !== null && last !== personId,
      wasWrong: names.some((name) => name !== null && name !== personId),
    };
  });
  const known = judged.filter(({ isKnown }) => isKnown);
  const strangers = judged.filter(({ isKnown }) => !isKnown);
  const share = (of: typeof judged, is: (each: (typeof judged)[number]) => boolean) =>
    of.length === 0 ? 0 : of.filter(is).length / of.length;
  return {
    right: share(known, ({ isRight }) => isRight),
    wrong: share(known, ({ isWrong }) => isWrong),
    everWrong: share(known, ({ wasWrong }) => wasWrong),
    strangersNamed: share(strangers, ({ isWrong }) => isWrong),
    strangersEverNamed: share(strangers, ({ wasWrong }) => wasWrong),
  };
}
