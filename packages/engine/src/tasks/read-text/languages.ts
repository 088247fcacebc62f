/**
 * The languages of Latin script that text can be read in, by ISO 639-1, with the letters that each has besides a to z, in lower
 * case: their capitals belong to it too. Signs such as the inverted question mark count as letters of their language.
 */
export const languageLetters = {
  cs: 'áčďéěíňóřšťúůýž',
  da: 'æøåé',
  de: 'äöüß',
  en: '',
  es: 'áéíñóúü¿¡',
  fi: 'äöåšž',
  fr: 'àâæçèéêëîïôœùûüÿ',
  hu: 'áéíóöőúüű',
  is: 'áðéíóúýþæö',
  it: 'àèéìíîòóùú',
  nl: 'áéèëïíóöúü',
  no: 'æøåéèêóòâôü',
  pl: 'ąćęłńóśźż',
  pt: 'àáâãçéêíóôõúü',
  ro: 'ăâîșț',
  sv: 'åäöéü',
  tr: 'çğıöşüâîû',
} as const;

/** A language that is written in Latin letters. */
export type LatinLanguage = keyof typeof languageLetters;

/** A language that text can be read in. */
export type TextLanguage = LatinLanguage | 'zh';

export const latinLanguages = Object.keys(languageLetters) as readonly LatinLanguage[];
export const textLanguages: readonly TextLanguage[] = [...latinLanguages, 'zh'];

/** Both cases of a language's letters. */
export function lettersOf(language: LatinLanguage): string[] {
  const lower = [...languageLetters[language]];
  const capitals =
    language === 'tr'
      ? [...lower.map((letter) => letter.toLocaleUpperCase('tr')), 'İ']
      : lower.map(capitalOf);
  // The capital of the dotless i is one of the plain letters.
  return [...new Set([...lower, ...capitals])].filter((letter) => !/[A-Z]/.test(letter));
}

/** German has no common capital for its sharp s. */
function capitalOf(letter: string): string {
  const capital = letter.toUpperCase();
  return capital.length === 1 ? capital : letter;
}

/** Letters that Unicode does not take apart, by the plain letter or letters that they look like. */
const lookAlikes: Readonly<Record<string, string>> = {
  æ: 'ae',
  Æ: 'AE',
  ð: 'd',
  Ð: 'D',
  ı: 'i',
  ł: 'l',
  Ł: 'L',
  ø: 'o',
  Ø: 'O',
  œ: 'oe',
  Œ: 'OE',
  þ: 'p',
  Þ: 'P',
  ß: 'B',
  '¿': '?',
  '¡': '!',
};

/** The letter without its accents: what a reader sees who does not look closely. A ligature looks like two letters. */
export function plainLetters(letter: string): string {
  return lookAlikes[letter] ?? letter.normalize('NFD').slice(0, 1);
}
