import { type LatinLanguage, latinLanguages, lettersOf } from './languages.js';

/** Accented letters of an image that tell its language, at least, and the share of them that must be of it. */
const minLetters = 4;
const minShare = 0.7;

const lettersByLanguage: ReadonlyMap<LatinLanguage, ReadonlySet<string>> = new Map(
  latinLanguages.map((language) => [language, new Set(lettersOf(language))]),
);
export const accentedLetters: ReadonlySet<string> = new Set(latinLanguages.flatMap(lettersOf));

/** The accented letters that the text of an image may have. */
interface OwnLetters {
  readonly letters: ReadonlySet<string>;
  /**
   * How much a letter may lose, of its probability of 0 to 1, by being read as one of these: where it loses more it was well
   * visible, and its line is of another language.
   */
  readonly maxLoss: number;
  /** Whether the text shows its language, and not only that it is not known. */
  readonly areOfLanguage: boolean;
}

/** Over 382 lines with a single accent and 280 without: a twentieth of the right ones loses less than this, five of eight false ones. */
const maxLossOfFew = 0.2;
const maxLossOfForeign = 0.5;
/** Among so many letters a single accent is a false one as often as a right one. */
const lettersPerAccent = 30;

/**
 * The accented letters that the text of an image has by its language, judged by all of its lines together: those of every
 * language that explains the most of them; none where there are few, as in English, and where no language explains enough.
 */
export function guessLetters(texts: readonly string[]): OwnLetters {
  const seen = texts.flatMap((text) => [...text].filter((character) => accentedLetters.has(character)));
  if (seen.length < minLetters) {
    const letters = texts.join('').match(/\p{L}/gu)?.length ?? 0;
    const areRare = seen.length * lettersPerAccent <= letters;
    return { letters: new Set(), maxLoss: areRare ? maxLossOfForeign : maxLossOfFew, areOfLanguage: false };
  }
  const explained = (letters: ReadonlySet<string>) => seen.filter((letter) => letters.has(letter)).length;
  const counts = [...lettersByLanguage.values()].map((letters) => ({ letters, count: explained(letters) }));
  const most = Math.max(...counts.map(({ count }) => count));
  // Accents of no language are those of blurred print more often than those of several languages.
  if (most < minShare * seen.length) {
    return { letters: new Set(), maxLoss: maxLossOfForeign, areOfLanguage: false };
  }
  const letters = new Set(counts.flatMap((each) => (each.count === most ? [...each.letters] : [])));
  return { letters, maxLoss: maxLossOfForeign, areOfLanguage: true };
}

/** The accented letters of a text that are not among these. */
export function foreignTo(letters: ReadonlySet<string>, text: string): string[] {
  return [...text].filter((character) => accentedLetters.has(character) && !letters.has(character));
}
