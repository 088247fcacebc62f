import { expect, test } from 'vitest';
import { distinct } from './labels.js';
import { readNames } from './metadata-hints.js';

test.each([
  ['{"0": "a", "1": "Stra\\u00dfe", "2": "\\ud83d\\ude00"}', ['a', 'Straße', '😀']],
  [
    "{0: 'traffic\\xa0light', 1: 'it\\'s', 2: 'a\\\\b', 3: 'a\\tb', 4: '\\U0001f600'}",
    ['traffic\u00a0light', "it's", 'a\\b', 'a b', '😀'],
  ],
  ["{0: '\\U00ffffff'}", ['U00ffffff']],
])('names are read with the escapes of JSON and Python: %s', (text, names) => {
  expect(readNames(text)).toEqual(names);
});

test('what separates the words of a label stays a space', () => {
  expect(distinct(['red\tRot', 'blue\0\0', '\u0007', 'red Rot'])).toEqual([
    'red Rot',
    'blue',
    'class 2',
    'red Rot (2)',
  ]);
});
