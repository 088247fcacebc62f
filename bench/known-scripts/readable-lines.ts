import type { FontSet } from '../letters/fonts.js';
import { languages, pick, randomCharacters, randomLine } from '../letters/random-lines.js';
import { sentences } from '../letters/sentences.js';

/** Kinds of lines that the recogniser reads. */
export const readableKinds = [
  'syllables with accents',
  'sentences',
  'capitals',
  'numbers',
  'codes and plates',
  'short',
  'units and signs',
  'Chinese',
] as const;
export type ReadableKind = (typeof readableKinds)[number];

const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const digits = '0123456789';
const units = ['€', '$', '£', '%', 'kg', 'km', 'mm', 'EUR', '°C', 'ml', 'm²', 'kW', 'V~', 'Hz'];

const english =
  'the open closed street entrance exit please mind doors parking only no entry police hotel restaurant coffee fresh bread ' +
  'bus stop station north road London bakery market sale school ambulance fire danger high voltage private property keep ' +
  'clear welcome airport gate platform tickets museum garden bridge river quay express taxi water milk organic apple ' +
  'Coca-Cola Samsung Google Toyota Volvo Adidas Nike Sony Canon Nikon Heineken Carlsberg Shell ESSO Starbucks';

/** @param han characters of Chinese that the recogniser has */
export function readableLine(
  kind: ReadableKind,
  set: FontSet,
  maxCharacters: number,
  han: readonly string[],
  random: () => number,
): string {
  const count = (min: number, max: number) => min + Math.floor(random() * (max - min + 1));
  const of = (letters: string, min: number, max: number) =>
    randomCharacters([...letters], count(min, max), random);
  switch (kind) {
    case 'syllables with accents':
      return randomLine(pick(languages, random), maxCharacters, random);
    case 'sentences': {
      if (random() < 0.4) return words(english.split(' '), maxCharacters, random);
      const half = sentences[pick(languages, random)].filter(
        (_, at) => at % 2 === (set === 'report' ? 1 : 0),
      );
      return pick(half, random);
    }
    case 'capitals':
      return randomLine(pick(languages, random), Math.min(maxCharacters, 18), random)
        .replaceAll('ß', 'SS')
        .toLocaleUpperCase();
    case 'numbers':
      return pick(
        [
          () => `${of(digits, 1, 4)}${pick(['.', ',', ':', '-', '/', ' '], random)}${of(digits, 2, 4)}`,
          () => `${of(digits, 2, 8)}`,
          () => `${of(digits, 1, 3)},${of(digits, 2, 2)} ${pick(units, random)}`,
          () =>
            `${of(digits, 2, 2)}.${of(digits, 2, 2)}.20${of(digits, 2, 2)} ${of(digits, 2, 2)}:${of(digits, 2, 2)}`,
          () => `+${of(digits, 2, 2)} ${of(digits, 2, 4)} ${of(digits, 4, 8)}`,
        ],
        random,
      )();
    case 'codes and plates':
      return pick(
        [
          () =>
            `${of(capitals, 1, 3)}${pick([' ', '-', ''], random)}${of(capitals, 1, 2)} ${of(digits, 2, 4)}`,
          () => of(capitals + digits, 4, 12),
          () => `${of(digits, 2, 4)} ${of(capitals, 2, 3)} ${of(digits, 2, 3)}`,
          () => `${of(capitals, 2, 4)}/${of(digits, 1, 3)}-${of(capitals + digits, 1, 5)}`,
          () => `www.${of(capitals, 4, 9).toLowerCase()}.${pick(['com', 'de', 'org', 'fr'], random)}`,
          () => `${of(capitals, 3, 7).toLowerCase()}@${of(capitals, 3, 7).toLowerCase()}.com`,
        ],
        random,
      )();
    case 'short':
      return pick(
        [() => of(capitals, 1, 3), () => of(digits, 1, 3), () => of(capitals.toLowerCase(), 2, 4)],
        random,
      )();
    case 'units and signs':
      return pick(
        [
          () => `${of(digits, 1, 3)} ${pick(units, random)}`,
          () => `${pick(['#', 'No. ', '§ ', '+', '-', '~', '* ', '& '], random)}${of(digits, 1, 4)}`,
          () => `(${of(digits, 1, 2)}${pick(['+', '-', '/', '=', '×'], random)}${of(digits, 1, 2)})`,
          () => `© 20${of(digits, 2, 2)} ${of(capitals, 3, 6)}${pick(['®', '™', '!', '?', ''], random)}`,
          () => `${of(capitals, 1, 2)}: ${of(digits, 1, 3)}±${of(digits, 1, 1)}`,
          () => `${pick(['!!!', '???', '---', '***', '...', '>>>', '<<', '+++', '%', '&'], random)}`,
        ],
        random,
      )();
    case 'Chinese':
      return randomCharacters(han, count(2, Math.max(3, Math.floor(maxCharacters * 0.5))), random);
  }
}

/** Words of a list, up to a length. */
function words(list: readonly string[], maxCharacters: number, random: () => number): string {
  const styled = (word: string) =>
    random() < 0.3 ? word.toUpperCase() : random() < 0.5 ? capitalised(word) : word;
  let line = styled(pick(list, random));
  for (;;) {
    const next = `${line} ${styled(pick(list, random))}`;
    if (next.length > maxCharacters || random() < 0.15) return line;
    line = next;
  }
}

function capitalised(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** What stands in Latin letters or digits in lines of another script: names, numbers, addresses. */
export function readableWord(random: () => number): string {
  const kind = random();
  if (kind < 0.4)
    return pick(
      english.split(' ').filter((word) => word.length > 3),
      random,
    );
  if (kind < 0.6) return randomLine(pick(languages, random), 8, random);
  if (kind < 0.75) return randomCharacters([...capitals, ...digits], 4 + Math.floor(random() * 5), random);
  return readableLine('numbers', 'learn', 10, [], random);
}
