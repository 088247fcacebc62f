import { expect, test } from 'vitest';
import {
  accentWeight,
  allowedCharacters,
  favouringAccents,
  hasDoubtfulAccents,
  withAccentsOf,
} from './allowed-characters.js';

const alphabet = ['a', 'ä', 'é', '中', '，', 'и', '€', ' '];
const shown = (mask: Float32Array) => alphabet.filter((_, at) => mask[at + 1] === 1).join('');

test('without languages all characters are allowed, and the blank always', () => {
  const mask = allowedCharacters(alphabet, undefined);
  expect(shown(mask)).toBe(alphabet.join(''));
  expect([mask.length, mask[0]]).toEqual([alphabet.length + 1, 1]);
  expect(allowedCharacters(alphabet, [])[0]).toBe(1);
});

test('languages allow their letters, plain letters and signs', () => {
  expect(shown(allowedCharacters(alphabet, ['de']))).toBe('aä€ ');
  expect(shown(allowedCharacters(alphabet, ['de', 'fr']))).toBe('aäé€ ');
  expect(shown(allowedCharacters(alphabet, ['zh']))).toBe('a中，€ ');
});

test('accents can be kept to some letters', () => {
  const all = allowedCharacters(alphabet, undefined);
  expect(shown(withAccentsOf(all, alphabet, new Set(['é'])))).toBe('aé中，и€ ');
});

test('accented letters that are allowed can be favoured, and no others', () => {
  const mask = favouringAccents(allowedCharacters(alphabet, ['de']), alphabet);
  expect([...mask]).toEqual([1, 1, accentWeight, 0, 0, 0, 0, 1, 1]);
});

test.each([
  ['汽车Ż家CLUB', 0.93, true],
  ['Ç', 0.96, true],
  ['ȘS', 0.74, true],
  ['Où', 0.97, false],
  ['Für', 0.9, false],
  ['Grüße', 0.6, false],
  ['中文 café', 0.9, false],
  ['STOP', 0.6, false],
] as const)('accents of %s at %d are doubtful: %s', (text, score, isDoubtful) => {
  expect(hasDoubtfulAccents(text, score)).toBe(isDoubtful);
});
