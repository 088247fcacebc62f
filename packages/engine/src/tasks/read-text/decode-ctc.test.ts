import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeCtc } from './decode-ctc.js';

const alphabet = ['a', 'b', ' '];
const textOf = (classes: number[]) =>
  decodeCtc(
    classes,
    classes.map(() => 1),
    alphabet,
  )
    .map(({ text }) => text)
    .join('');

test('repeats are one character, a blank separates two', () => {
  expect(textOf([1, 1, 0, 1, 2, 2, 3, 0, 3, 1])).toBe('aab  a');
  expect(textOf([0, 0, 0])).toBe('');
  expect(textOf([])).toBe('');
});

test('a character is as probable as its best step', () => {
  const read = decodeCtc([0, 1, 1, 0], [0.9, 0.5, 0.75, 0.9], alphabet);
  expect(read).toEqual([{ symbol: 1, text: 'a', score: 0.75, start: 1, end: 2 }]);
});

test('classes that the alphabet does not have are omitted', () => {
  expect(textOf([1, 99, 2])).toBe('ab');
});

test('every text survives encoding and decoding, with any number of steps per character', () => {
  const symbols = fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 4 })));
  fc.assert(
    fc.property(symbols, (items) => {
      const steps = items.flatMap(([symbol, times]) => [...Array<number>(times).fill(symbol), 0]);
      expect(textOf(steps)).toBe(items.map(([symbol]) => alphabet[symbol - 1]).join(''));
    }),
  );
});

test('a letter and the same with an accent, without a blank between them, are the more probable one', () => {
  const letters = ['s', 'š', 'e', 'œ', 'S'];
  const read = (classes: number[], scores = classes.map(() => 1)) =>
    decodeCtc(classes, scores, letters)
      .map(({ text }) => text)
      .join('');
  expect(read([1, 2, 2, 0])).toBe('š');
  expect(read([1, 1, 2, 0], [0.9, 0.9, 0.6, 1])).toBe('s');
  expect(read([2, 1, 1, 2], [0.6, 0.5, 0.5, 0.6])).toBe('š');
  expect(read([4, 4, 3])).toBe('œ');
  expect(read([1, 0, 2])).toBe('sš');
  expect(read([1, 5])).toBe('sS');
});

test('the halves of a ligature are one letter, a letter farther away is another', () => {
  const letters = ['o', 'e', 'œ', 'u', ' ', 'æ'];
  const read = (classes: number[], scores = classes.map(() => 1)) =>
    decodeCtc(classes, scores, letters)
      .map(({ text }) => text)
      .join('');
  expect(read([1, 0, 3, 0, 4])).toBe('œu');
  expect(read([3, 0, 2, 0, 4])).toBe('œu');
  expect(read([3, 0, 3, 0, 6, 0, 4])).toBe('œu');
  expect(read([2, 0, 0, 3, 0, 4])).toBe('eœu');
  expect(read([2, 5, 3, 0, 4])).toBe('e œu');
  expect(read([1, 0, 2])).toBe('oe');
  expect(decodeCtc([3, 0, 3], [0.6, 1, 0.9], letters)).toEqual([
    { symbol: 3, text: 'œ', score: 0.9, start: 0, end: 2 },
  ]);
});
