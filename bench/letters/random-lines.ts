import { type LatinLanguage, languageLetters, lettersOf } from '#engine/tasks/read-text/languages.js';

/** Signs of European print that the recogniser's alphabet lacks. */
export const extraSigns = ['€', '„', '«'] as const;

/** Every letter and sign that is trained, once each. */
export function trainedCharacters(): string[] {
  const letters = languages.flatMap(lettersOf);
  return [...new Set([...letters, ...extraSigns])].sort();
}

export const languages = Object.keys(languageLetters) as LatinLanguage[];

const vowels = 'aeiouy';
const consonants = 'bcdfghjklmnpqrstvwxz';

/**
 * A line of words of random syllables, with a language's own letters among them far more often than it has them: each must be
 * seen often, in every company. Some words have capitals, and lines have signs and numbers.
 */
export function randomLine(language: LatinLanguage, maxCharacters: number, random: () => number): string {
  const own = [...languageLetters[language]].filter((letter) => !'¿¡'.includes(letter));
  const ownShare = 0.05 + 0.4 * random();
  const capitalise = (word: string) =>
    language === 'tr' ? word.toLocaleUpperCase('tr') : word.toUpperCase();
  const words: string[] = [];
  let length = 0;
  const allCapitals = random() < 0.15;
  while (length < maxCharacters) {
    const word = decorate(style(randomWord(own, ownShare, random), allCapitals ? 1 : random()));
    if (words.length > 0 && length + word.length > maxCharacters) break;
    words.push(word);
    length += word.length + 1;
  }
  const line = words.join(' ');
  return language === 'es' && random() < 0.6 ? asked(line) : line;

  function style(word: string, kind: number): string {
    if (kind < 0.65 || word.includes('ß')) return word;
    return kind < 0.88 ? capitalise([...word][0] ?? '') + [...word].slice(1).join('') : capitalise(word);
  }
  function decorate(word: string): string {
    const kind = random();
    if (kind < 0.72) return word;
    if (kind < 0.8) return `${word}${pick([',', '.', '!', '?', ':', ';'], random)}`;
    if (kind < 0.84) return pick([`„${word}“`, `«${word}»`, `“${word}”`, `(${word})`, `"${word}"`], random);
    if (kind < 0.88)
      return `${word}${pick(['-', '/', '’', ' & '], random)}${randomWord(own, ownShare, random)}`;
    if (kind < 0.93)
      return `${word} ${pick(['', '', '€ '], random)}${randomNumber(random)}${pick(['', ' €', '€', ',-', ' %'], random)}`;
    return `${randomNumber(random)} ${word}`;
  }
  function asked(text: string): string {
    return random() < 0.5 ? `¿${text}?` : `¡${text}!`;
  }
}

function randomWord(own: readonly string[], ownShare: number, random: () => number): string {
  const syllables = 1 + Math.floor(random() * 3);
  let word = '';
  for (let at = 0; at < syllables; at += 1) {
    const letters = [pick([...consonants], random), pick([...vowels], random)];
    if (random() < 0.4) letters.push(pick([...consonants], random));
    word += letters
      .map((letter) => (own.length > 0 && random() < ownShare ? pick(own, random) : letter))
      .join('');
  }
  return word;
}

function randomNumber(random: () => number): string {
  const digits = String(Math.floor(random() * 10 ** (1 + Math.floor(random() * 4))));
  return random() < 0.3 ? `${digits}${pick([',', '.'], random)}${10 + Math.floor(random() * 90)}` : digits;
}

/** A line of characters drawn evenly from a list. */
export function randomCharacters(alphabet: readonly string[], count: number, random: () => number): string {
  return Array.from({ length: count }, () => pick(alphabet, random)).join('');
}

export function pick<T>(items: readonly T[], random: () => number): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('there is nothing to choose from');
  return item;
}
