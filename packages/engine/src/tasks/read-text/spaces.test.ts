import { expect, test } from 'vitest';
import { spellOut } from './spaces.js';

const at = (text: string, step: number) => ({ symbol: 1, text, score: 1, start: step, end: step });

test('a gap that may well hold a space gets one', () => {
  const read = [at('a', 0), at('b', 2), at('c', 5)];
  expect(spellOut(read, [0, 0, 0, 0.001, 0.2, 0])).toBe('ab c');
  expect(spellOut(read, [0, 0.01, 0, 0, 0.01, 0])).toBe('abc');
});

test('a space that was read is one space, and there is none at the ends', () => {
  const read = [at(' ', 0), at('a', 1), at(' ', 3), at('b', 5), at(' ', 6)];
  expect(spellOut(read, [0.9, 0, 0.3, 0.9, 0.3, 0, 0.9])).toBe('a b');
});

test('no space is put beside Chinese characters', () => {
  expect(spellOut([at('\u4f60', 0), at('\u597d', 4), at('a', 8)], [0, 0, 0.3, 0, 0, 0, 0.3, 0, 0])).toBe(
    '\u4f60\u597da',
  );
});

test('without probabilities of the model, the spaces that were read stay', () => {
  expect(spellOut([at('a', 0), at(' ', 1), at('b', 2)])).toBe('a b');
});
