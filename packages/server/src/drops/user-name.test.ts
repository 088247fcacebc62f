import { expect, test } from 'vitest';
import { checkUserName, makeUserName } from './user-name.js';

test('a user name is made of what can be read of a name, accents left out, and is one that is taken', () => {
  expect(makeUserName('Ünïcode Désk 2')).toMatch(/^unicode-desk-2-[0-9a-f]{6}$/);
  expect(makeUserName('新闻')).toMatch(/^drop-[0-9a-f]{6}$/);
  for (const name of ['a', '--', 'É', 'A very long name of a desk – of sports', '📷 1']) {
    const made = makeUserName(name);
    expect(checkUserName(made)).toBe(made);
  }
});
