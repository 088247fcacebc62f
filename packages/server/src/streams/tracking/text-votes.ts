import { distance } from 'fastest-levenshtein';

/** One reading of a text. */
interface TextVote {
  readonly atMs: number;
  readonly text: string;
  /** 0 to 1. */
  readonly score: number;
}

/** A text that readings agree on. */
interface AgreedText {
  readonly text: string;
  /** Mean score of the readings. */
  readonly score: number;
}

/** Texts that differ in up to this share of their characters, or in one, are readings of one text. */
const maxDifference = 0.34;
const minLength = 2;
const maxLength = 64;
const minReadings = 2;
/** A character of the text has so many times the weight of any other, unless so many readings leave it open. */
const minCharacterLead = 1.5;
const enoughReadings = 8;
/** Least sum of the scores. */
const minWeight = 1;
const maxKeptReadings = 60;
/** Further texts on one object are ignored. */
const maxTexts = 20;

/** Votes for the texts on one object. */
export type TextVotes = ReturnType<typeof createTextVotes>;

export function createTextVotes() {
  let votes: readonly TextVote[] = [];
  let texts: readonly AgreedText[] = [];
  return {
    /** Those agreed on so far, in the order in which they were. */
    get texts(): readonly AgreedText[] {
      return texts;
    },
    /** @returns texts that are agreed on now and were not before */
    add(more: readonly TextVote[]): readonly AgreedText[] {
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
  const agreed = groups
    .filter((group) => new Set(group.map(({ atMs }) => atMs)).size >= minReadings)
    .map((group) => ({ group, weight: group.reduce((sum, { score }) => sum + score, 0) }))
    .filter(({ group, weight }) => weight >= minWeight && (isClear(group) || group.length >= enoughReadings))
    .sort((a, b) => b.weight - a.weight)
    .map(({ group, weight }) => ({ text: consensus(group), score: weight / group.length }));
  return agreed.filter(
    ({ text }, index) => !agreed.slice(0, index).some((surer) => isReadingOf(text, surer.text)),
  );
}

/** The commonest length, and of each position the commonest character; among equals, that of the better readings, which come first. */
function consensus(group: readonly TextVote[]): string {
  return ballots(group)
    .map(([winner]) => winner?.value ?? '')
    .join('');
}

/** Whether no character is nearly as common as that of the consensus. */
function isClear(group: readonly TextVote[]): boolean {
  return ballots(group).every(
    ([winner, second]) => (winner?.weight ?? 0) >= minCharacterLead * (second?.weight ?? 0),
  );
}

/** The characters of each position with their weights, the heaviest first, by the readings of the commonest length. */
function ballots(group: readonly TextVote[]): { readonly value: string; readonly weight: number }[][] {
  const [length] = tally(group.map(({ text, score }) => [text.length, score]));
  const alike = group.filter(({ text }) => text.length === length?.value);
  return Array.from({ length: length?.value ?? 0 }, (_, at) =>
    tally(alike.map(({ text, score }) => [text[at] ?? '', score])),
  );
}

function tally<Value>(votes: readonly (readonly [Value, number])[]) {
  const sums = new Map<Value, number>();
  for (const [value, weight] of votes) sums.set(value, (sums.get(value) ?? 0) + weight);
  return [...sums].map(([value, weight]) => ({ value, weight })).sort((a, b) => b.weight - a.weight);
}

/** Whether two texts are readings of one text, by their edit distance. */
export function isReadingOf(a: string, b: string): boolean {
  const longest = Math.max(a.length, b.length);
  // Two characters of a short text are half of it.
  const allowed = longest <= 3 ? 0 : Math.max(1, Math.floor(maxDifference * longest));
  return Math.abs(a.length - b.length) <= allowed && distance(a, b) <= allowed;
}

/** Readings that can vote, without spaces that say nothing. */
function usableTexts(votes: readonly TextVote[]): TextVote[] {
  return votes
    .map((vote) => ({ ...vote, text: vote.text.trim().replaceAll(/\s+/g, ' ') }))
    .filter(({ text, score }) => text.length >= minLength && text.length <= maxLength && score > 0);
}
