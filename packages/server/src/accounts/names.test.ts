import { expect, test } from 'vitest';
import { toName, toNewName } from './names.js';

test.each([
  [' Ada ', 'Ada'],
  ['Jürgen', 'Jürgen'],
  ['🙂', '🙂'],
  ['م', 'م'],
  ['-', '-'],
])('%j is the name %j', (text, name) => {
  expect([toName(text), toNewName(text)]).toEqual([name, name]);
});

test.each([
  ['what was not UTF-8', 'J\ufffdrgen'],
  ['what nobody sees', '\u200b'],
  ['a mark of direction', '\u202e'],
])('%s is no new name, and is found where it is one', (_what, text) => {
  expect([toName(text), toNewName(text)]).toEqual([text, null]);
});

test.each([
  ['nothing', ' '],
  ['control characters', 'a\u0000b'],
  ['more than 200 characters', 'a'.repeat(201)],
])('%s is none', (_what, text) => {
  expect([toName(text), toNewName(text)]).toEqual([null, null]);
});
