import { type TextLanguage, textLanguages } from '@lynceus/engine';

/**
 * The languages of a list such as `DE, Fr,de`: small or large letters, with or without spaces, each once. Null where one of them
 * cannot be read.
 */
export function parseLanguages(list: string): readonly TextLanguage[] | null {
  const wanted = new Set(list.split(',').map(foldLanguage));
  wanted.delete('');
  const languages = textLanguages.filter((language) => wanted.has(language));
  return languages.length < wanted.size ? null : languages;
}

export function foldLanguage(name: string): string {
  return name.trim().toLowerCase();
}

/** What a list of languages may be, in an error. */
export const languagesExpected = `must be a list of ${textLanguages.join(', ')}, separated by commas`;
