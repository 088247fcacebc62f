import type { ReadCharacter } from './decode-ctc.js';
import { isParted } from './spaces.js';

/**
 * Steps without an opinion that are added to those of a line or word: the fewer it has, the less it can show, and the closer
 * its mean log odds are to none.
 */
const priorSteps = 12;

/**
 * Mean log odds from which a line, a word of a line that is readable as a whole, and one of a line that is not, count as in a
 * script that the recogniser reads. Chosen on lines in fonts that the net did not learn from (`npm run bench -- other-scripts --half tune`).
 */
const minOdds = { line: -1.8, word: -2.5, wordOfOther: 1.2 } as const;

/** From these log odds on a line is readable with all of its words: a blurred one with accents may look like another script. */
const sureLine = 1;

/** Letters and digits of a word that is kept of a line in another script: fewer show too little. */
const minWordLetters = 2;

/**
 * What an odd word takes from the log odds: one with a capital or a digit amid small letters, such as `pa6oTaeT`, which small letters of other scripts
 * look like. A name such as `McDonald` is far above the limits.
 */
const oddWordOdds = 1.5;
const odd = /\p{Ll}\p{Lu}|\p{L}\p{Nd}\p{Ll}|\p{Ll}{2}\p{Nd}/u;

/** What a certain reading adds to the log odds of a line, and one that is less sure than most takes from them. */
const scoreOdds = 2;
const usualScore = 0.8;

/** A line of so many characters is judged as a word of a readable line. */
const fewCharacters = 2;

/**
 * The characters that were read in a script which the recogniser knows: others resemble them at best, so that a word in Cyrillic
 * would be returned as one in Latin letters. Most lines are in one script, and are kept or left out as a whole.
 * @param odds Log odds of each step; without them all characters are kept.
 * @param spaces the probability of a space at each step
 */
export function readableCharacters(
  characters: readonly ReadCharacter[],
  odds: ArrayLike<number> | undefined,
  spaces: ArrayLike<number> | undefined,
): readonly ReadCharacter[] {
  if (odds === undefined) return characters;
  const words = wordsOf(characters, spaces);
  const least = characters.length <= fewCharacters ? minOdds.word : minOdds.line;
  const oddities =
    words.filter(({ letters }) => odd.test(textOf(letters))).length / Math.max(1, words.length);
  const score =
    characters.reduce((sum, character) => sum + character.score, 0) / Math.max(1, characters.length);
  const other = (score - usualScore) * scoreOdds - oddities * oddWordOdds;
  const lineOdds = meanOf(odds, 0, odds.length - 1);
  if (lineOdds >= sureLine) return characters;
  const isKnown = lineOdds + other >= least;
  const kept = words.filter(({ letters }) => {
    const text = textOf(letters);
    const mean = meanOf(odds, letters[0]?.start ?? 0, letters.at(-1)?.end ?? 0);
    const sum = mean - (odd.test(text) ? oddWordOdds : 0);
    if (isKnown) return sum >= minOdds.word;
    return sum >= minOdds.wordOfOther && (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= minWordLetters;
  });
  return kept.flatMap(({ letters, gap }) => [...letters, ...gap]);
}

interface Word {
  readonly letters: ReadCharacter[];
  /** Spaces behind it, which were read. */
  readonly gap: ReadCharacter[];
}

function wordsOf(characters: readonly ReadCharacter[], spaces: ArrayLike<number> | undefined): Word[] {
  const words: Word[] = [];
  for (const character of characters) {
    const word = words.at(-1);
    const last = word?.letters.at(-1);
    if (character.text.trim() === '') word?.gap.push(character);
    else if (
      word === undefined ||
      last === undefined ||
      word.gap.length > 0 ||
      isParted(last, character, spaces ?? [])
    )
      words.push({ letters: [character], gap: [] });
    else word.letters.push(character);
  }
  return words;
}

function textOf(characters: readonly ReadCharacter[]): string {
  return characters.map(({ text }) => text).join('');
}

/** Of the steps between two, both inside. */
function meanOf(odds: ArrayLike<number>, start: number, end: number): number {
  let sum = 0;
  for (let step = start; step <= end; step += 1) sum += odds[step] ?? 0;
  return sum / (end - start + 1 + priorSteps);
}
