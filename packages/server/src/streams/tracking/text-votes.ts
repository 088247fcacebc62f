import { distance } from 'fastest-levenshtein';

/** One reading of a text. */
export interface TextVote {
  readonly atMs: number;
  readonly text: string;
  /** 0 to 1. */
  readonly score: number;
}

/** A text that readings agree on. */
export interface AgreedText {
  readonly text: string;
  /** Mean score of the readings. */
  readonly score: number;
}

/** Texts that differ in up to this share of their characters, or in one, are readings of one text. */
const maxDifference = 0.25;
const minLength = 2;
const maxLength = 64;
const minReadings = 2;
/** Least sum of the scores. */
const minWeight = 1;
const maxKeptReadings = 60;
/** Further texts on one object are ignored. */
const maxTexts = 20;

/** Votes for the texts on one object. */
export interface TextVotes {
  /** Those agreed on so far, in the order in which they were. */
  readonly texts: readonly AgreedText[];
  /** @returns texts that are agreed on now and were not before */
  add(votes: readonly TextVote[]): readonly AgreedText[];
}

export function createTextVotes(): TextVotes {
  let votes: readonly TextVote[] = [];
  let texts: readonly AgreedText[] = [];
  return {
    get texts() {
      return texts;
    },
    add(more) {
      const usable = usableTexts(more);
      if (usable.length === 0) return [];
      votes = [...votes, ...usable].slice(-maxKeptReadings);
      const agreed = agreeOnTexts(votes);
      const fresh = agreed
        .filter(({ text }) => !texts.some((known) => isReadingOf(text, known.text)))
        .slice(0, maxTexts - texts.length);
      // What was agreed on stays, in its latest spelling.
      texts = [
        ...texts.map((known) => agreed.find(({ text }) => isReadingOf(text, known.text)) ?? known),
        ...fresh,
      ];
      return fresh;
    },
  };
}

/** The texts that two readings or more of different frames agree on, the surest first; the order of the readings does not matter. */
export function agreeOnTexts(votes: readonly TextVote[]): AgreedText[] {
  const ordered = [...votes].sort((a, b) => b.score - a.score || (a.text < b.text ? -1 : 1));
  const groups: TextVote[][] = [];
  for (const vote of ordered) {
    const group = groups.find(([first]) => first && isReadingOf(vote.text, first.text));
    if (group) group.push(vote);
    else groups.push([vote]);
  }
  return groups
    .filter((group) => new Set(group.map(({ atMs }) => atMs)).size >= minReadings)
    .map((group) => ({ group, weight: group.reduce((sum, { score }) => sum + score, 0) }))
    .filter(({ weight }) => weight >= minWeight)
    .sort((a, b) => b.weight - a.weight)
    .map(({ group, weight }) => ({ text: consensus(group), score: weight / group.length }));
}

/** The commonest length, and of each position the commonest character; among equals, that of the better readings, which come first. */
function consensus(group: readonly TextVote[]): string {
  const length = heaviest(group.map(({ text, score }) => [text.length, score]));
  const alike = group.filter(({ text }) => text.length === length);
  return Array.from({ length: length ?? 0 }, (_, at) =>
    heaviest(alike.map(({ text, score }) => [text[at] ?? '', score])),
  ).join('');
}

function heaviest<Value>(weighted: readonly (readonly [Value, number])[]): Value | undefined {
  const sums = new Map<Value, number>();
  for (const [value, weight] of weighted) sums.set(value, (sums.get(value) ?? 0) + weight);
  return [...sums].reduce<readonly [Value, number] | undefined>(
    (best, entry) => (best === undefined || entry[1] > best[1] + 1e-9 ? entry : best),
    undefined,
  )?.[0];
}

/** Whether two texts may be readings of one. */
export function isReadingOf(a: string, b: string): boolean {
  const longest = Math.max(a.length, b.length);
  // Two characters of a short text are half of it.
  const allowed = longest <= 3 ? 0 : Math.max(1, Math.floor(maxDifference * longest));
  return Math.abs(a.length - b.length) <= allowed && distance(a, b) <= allowed;
}

/** Readings that can vote, without spaces that say nothing. */
export function usableTexts(votes: readonly TextVote[]): TextVote[] {
  return votes
    .map((vote) => ({ ...vote, text: vote.text.trim().replaceAll(/\s+/g, ' ') }))
    .filter(({ text, score }) => text.length >= minLength && text.length <= maxLength && score > 0);
}
