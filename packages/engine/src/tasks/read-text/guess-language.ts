import { type LatinLanguage, latinLanguages, lettersOf } from './languages.js';

/** Accented letters of an image that tell its language, at least, and the share of them that must be of it. */
const minLetters = 4;
const minShare = 0.7;

const lettersByLanguage: ReadonlyMap<LatinLanguage, ReadonlySet<string>> = new Map(
  latinLanguages.map((language) => [language, new Set(lettersOf(language))]),
);
export const accentedLetters: ReadonlySet<string> = new Set(latinLanguages.flatMap(lettersOf));

/**
 * The accented letters that the text of an image has by its language, judged by all of its lines together: those of every
 * language that explains the most of them; none where there are few, as in English. Undefined where no language explains
 * enough of them.
 */
export function guessLetters(texts: readonly string[]): ReadonlySet<string> | undefined {
  const seen = texts.flatMap((text) => [...text].filter((character) => accentedLetters.has(character)));
  if (seen.length < minLetters) return new Set();
  const explained = (letters: ReadonlySet<string>) => seen.filter((letter) => letters.has(letter)).length;
  const counts = [...lettersByLanguage.values()].map((letters) => ({ letters, count: explained(letters) }));
  const most = Math.max(...counts.map(({ count }) => count));
  if (most < minShare * seen.length) return undefined;
  return new Set(counts.flatMap(({ letters, count }) => (count === most ? [...letters] : [])));
}

/** The accented letters of a text that are not among these. */
export function foreignTo(letters: ReadonlySet<string>, text: string): string[] {
  return [...text].filter((character) => accentedLetters.has(character) && !letters.has(character));
}
