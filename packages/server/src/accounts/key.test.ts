import { expect, test } from 'vitest';
import { keyPrefix, makeKey, makeTypedKey } from './key.js';

test('the key of a drop can be typed at a camera, and none is made twice', () => {
  const keys = Array.from({ length: 1000 }, makeTypedKey);
  for (const key of keys) expect(key).toMatch(/^lyn_[2-9a-km-np-z]{20}$/);
  expect(new Set(keys).size).toBe(1000);
  // Every character comes at each place.
  const atFirst = new Set(keys.map((key) => key[4]));
  expect(atFirst.size).toBe(32);
});

test('what is kept of a key is a third of it at most', () => {
  expect(keyPrefix(makeTypedKey())).toHaveLength(8);
  expect(keyPrefix(makeKey())).toHaveLength(12);
});
