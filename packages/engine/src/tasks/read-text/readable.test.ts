import { expect, test } from 'vitest';
import { readableCharacters } from './readable.js';
import { spellOut } from './spaces.js';

/** A character every second step; the spaces of the text are read as such. */
const read = (text: string) =>
  [...text].map((character, at) => ({ symbol: 1, text: character, score: 0.8, start: 2 * at, end: 2 * at }));
/** Log odds of the steps of each character. */
const oddsOf = (text: string, odds: (at: number) => number) =>
  Array.from({ length: 2 * text.length }, (_, step) => odds(Math.floor(step / 2)));
const readable = (text: string, odds: (at: number) => number, spaces?: readonly number[]) =>
  spellOut(readableCharacters(read(text), oddsOf(text, odds), spaces), spaces);

test('a line in a known script is kept, and one in another script is left out', () => {
  expect(readable('Bread 24', () => 5)).toBe('Bread 24');
  expect(readable('AnTeKa', () => -8)).toBe('');
});

test('words of a known script remain of a line in another one', () => {
  const text = 'Samsung npoAaeTcR 3Aecb';
  expect(readable(text, (at) => (at < 7 ? 6 : -8))).toBe('Samsung');
  expect(readable(text, (at) => (at > 7 && at < 17 ? -9 : 5))).toBe('Samsung 3Aecb');
});

test('capitals and digits amid small letters make a doubtful line one in another script', () => {
  expect(readable('pa6oTaeT AnTeKa', () => -0.8)).toBe('');
  expect(readable('Hotel Brucke', () => -0.8)).toBe('Hotel Brucke');
  expect(readable('McDonald YouTube', () => 4)).toBe('McDonald YouTube');
});

test('a certain reading speaks for a script, an unsure one against it', () => {
  const line = (score: number) => read('HOTEL').map((character) => ({ ...character, score }));
  const odds = oddsOf('HOTEL', () => -4);
  expect(readableCharacters(line(0.95), odds, undefined)).toEqual(line(0.95));
  expect(readableCharacters(line(0.5), odds, undefined)).toEqual([]);
});

test('a space that was not read parts words too', () => {
  const spaces = Array.from({ length: 20 }, (_, step) => (step === 9 ? 0.3 : 0));
  expect(readable('BREADxAeTc', (at) => (at < 5 ? 6 : -9), spaces)).toBe('BREAD');
});

test('a single letter of a line in another script is no word', () => {
  expect(readable('3Aecb B', (at) => (at === 6 ? 9 : -8))).toBe('');
});

test('all characters of a model without log odds are kept', () => {
  expect(readableCharacters(read('ab'), undefined, undefined)).toEqual(read('ab'));
});
