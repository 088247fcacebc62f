import type { TextLanguage } from '@lynceus/client';

const textLanguages: readonly TextLanguage[] = [
  'cs',
  'da',
  'de',
  'en',
  'es',
  'fi',
  'fr',
  'hu',
  'is',
  'it',
  'nl',
  'no',
  'pl',
  'pt',
  'ro',
  'sv',
  'tr',
  'zh',
];

/** The languages that text is read in, by name, in the order of the alphabet. */
export function languageItems() {
  const names = new Intl.DisplayNames(['en'], { type: 'language' });
  return textLanguages
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .sort((a, b) => a.label.localeCompare(b.label));
}
