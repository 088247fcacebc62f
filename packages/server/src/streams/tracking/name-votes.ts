/** One look at the face of a tracked person. */
export interface FaceVote {
  readonly atMs: number;
  /** How well the face can be recognised, 0 to 1. */
  readonly quality: number;
  /** Who it is taken for, null for a stranger; the similarity is 0 to 1, one half at the decision point. */
  readonly person: { readonly personId: number; readonly name: string; readonly similarity: number } | null;
}

interface NamedPerson {
  readonly personId: number;
  readonly name: string;
  /** Mean similarity of the looks that agree, weighted as they vote. */
  readonly score: number;
}

export interface NameOptions {
  /** A name needs so many looks that agree. */
  readonly minLooks: number;
  /** The first and the last of them are so far apart: looks of one moment share their mistakes. */
  readonly minApartMs: number;
  /** Least sum of the evidence; a good look gives 1 to 3. */
  readonly minEvidence: number;
  /** The evidence is so many times that of any other person, and that for a stranger. */
  readonly minLead: number;
  /** After so long a look counts half, so that a track that has come to show someone else gets the new name. */
  readonly halfLifeMs: number;
}

export const nameDefaults: NameOptions = {
  minLooks: 3,
  minApartMs: 1000,
  minEvidence: 2,
  minLead: 2,
  halfLifeMs: 30_000,
};

/** Log-odds of a similarity are capped here: one look never decides. */
const maxLogOdds = 2.5;
/** What a look at the decision point still says for the person. */
const leastEvidence = 0.5;
/** What a look in which nobody was recognised says for a stranger. */
const strangerEvidence = 1;
/** Looks within so long are one moment, */
const momentMs = 1000;
/** whose votes correlate so much: n of them count n / (1 + (n - 1) * correlation), the design effect of Kish (1965). */
const correlation = 0.5;
const maxKeptLooks = 200;
const stranger = 'stranger';

interface Standing {
  readonly evidence: number;
  readonly looks: number;
  readonly apartMs: number;
  readonly named: NamedPerson | null;
}

/** Votes for the name of one tracked person. */
export function createNameVotes(options: Partial<NameOptions> = {}) {
  const settings = { ...nameDefaults, ...options };
  const refused = new Set<number>();
  let votes: readonly FaceVote[] = [];
  let person: NamedPerson | null = null;
  return {
    /** Who it is; null until enough looks agree. */
    get person(): NamedPerson | null {
      return person;
    },
    add(vote: FaceVote) {
      if (vote.person && refused.has(vote.person.personId)) return;
      votes = [...votes, vote].slice(-maxKeptLooks);
      person = decideName(votes, settings, person);
    },
    /** The track is not this person, whatever the looks say. */
    refuse(personId: number) {
      refused.add(personId);
      votes = votes.filter((vote) => vote.person?.personId !== personId);
      person = decideName(votes, settings, person?.personId === personId ? null : person);
    },
  };
}

/**
 * The name that the looks give, in whatever order they came. `current` remains where they give none, unless more speaks against it
 * than a name needs.
 */
export function decideName(
  votes: readonly FaceVote[],
  { minLooks, minApartMs, minEvidence, minLead, halfLifeMs }: NameOptions,
  current: NamedPerson | null,
): NamedPerson | null {
  const standings = standingsOf(votes, halfLifeMs);
  const against = (key: string) =>
    Math.max(0, ...[...standings].filter(([other]) => other !== key).map(([, { evidence }]) => evidence));
  const winner = [...standings].find(
    ([key, { evidence, looks, apartMs, named }]) =>
      named !== null &&
      looks >= minLooks &&
      apartMs >= minApartMs &&
      evidence >= minEvidence &&
      evidence >= minLead * against(key),
  );
  if (winner) return winner[1].named;
  if (current === null) return null;
  const key = String(current.personId);
  const own = standings.get(key);
  const opposed = against(key);
  const isRefuted = opposed >= minEvidence && opposed >= minLead * (own?.evidence ?? 0);
  return isRefuted ? null : (own?.named ?? current);
}

/** What speaks for each person and, under `stranger`, for nobody known. */
function standingsOf(votes: readonly FaceVote[], halfLifeMs: number): Map<string, Standing> {
  const latestMs = Math.max(...votes.map(({ atMs }) => atMs));
  const byKey = new Map<string, FaceVote[]>();
  for (const vote of votes) {
    if (!(vote.quality > 0) || Number.isNaN(vote.person?.similarity)) continue;
    const key = vote.person ? String(vote.person.personId) : stranger;
    byKey.set(key, [...(byKey.get(key) ?? []), vote]);
  }
  return new Map(
    [...byKey].map(([key, own]) => {
      const times = own.map(({ atMs }) => atMs);
      return [
        key,
        {
          evidence: sumOfMoments(
            own,
            (vote) => evidenceOf(vote) * 2 ** ((vote.atMs - latestMs) / halfLifeMs),
          ),
          looks: own.length,
          apartMs: Math.max(...times) - Math.min(...times),
          named: nameOf(own),
        },
      ];
    }),
  );
}

function sumOfMoments(votes: readonly FaceVote[], weightOf: (vote: FaceVote) => number): number {
  const moments = new Map<number, { sum: number; count: number }>();
  for (const vote of votes) {
    const at = Math.floor(vote.atMs / momentMs);
    const { sum, count } = moments.get(at) ?? { sum: 0, count: 0 };
    moments.set(at, { sum: sum + weightOf(vote), count: count + 1 });
  }
  return [...moments.values()].reduce(
    (total, { sum, count }) => total + sum / (1 + (count - 1) * correlation),
    0,
  );
}

function evidenceOf({ quality, person }: FaceVote): number {
  const trust = Math.min(1, quality);
  if (!person) return trust * strangerEvidence;
  const similarity = Math.min(0.999, Math.max(0.5, person.similarity));
  return trust * (leastEvidence + Math.min(maxLogOdds, Math.log(similarity / (1 - similarity))));
}

function nameOf(votes: readonly FaceVote[]): NamedPerson | null {
  const latest = votes.reduce((a, b) => (b.atMs > a.atMs ? b : a)).person;
  if (!latest) return null;
  let [sum, weights] = [0, 0];
  for (const vote of votes) {
    const weight = evidenceOf(vote);
    sum += weight * (vote.person?.similarity ?? 0);
    weights += weight;
  }
  return { personId: latest.personId, name: latest.name, score: sum / weights };
}
