import { expect, test } from 'vitest';
import { toName } from './names.js';

test.each([
  [' Ada ', 'Ada'],
  ['Jürgen', 'Jürgen'],
  ['🙂', '🙂'],
  ['م', 'م'],
  ['-', '-'],
])('%j is the name %j', (text, name) => {
  expect(toName(text)).toBe(name);
});

test.each([
  ['nothing', ' '],
  ['control characters', 'a\u0000b'],
  ['what was not UTF-8', 'J\ufffdrgen'],
  ['what nobody sees', '\u200b'],
  ['a mark of direction', '\u202e'],
  ['more than 200 characters', 'a'.repeat(201)],
])('%s is none', (_what, text) => {
  expect(toName(text)).toBe(null);
});
