import { expect, test } from 'vitest';
import { oneLine } from './one-line.js';

test.each([
  ['', true],
  ['p@ss: w0rd', true],
  ['é, ☃ and 😀', true],
  ['a\nb', false],
  ['a\u0000', false],
  ['\ud800', false],
  ['a\udc00b', false],
  ['\ude00\ud83d', false],
])('%j is one line of whole characters: %s', (text, isGood) => {
  expect([new RegExp(oneLine).test(text), new RegExp(oneLine, 'u').test(text)]).toEqual([isGood, isGood]);
});
