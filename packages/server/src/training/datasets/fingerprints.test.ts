import { expect, test } from 'vitest';
import { Fingerprints } from './fingerprints.js';

test('the nearest of all fingerprints is found, unless none is near', () => {
  const fingerprints = new Fingerprints();
  for (const text of ['f'.repeat(32), '0'.repeat(32)]) fingerprints.push(text);
  expect(fingerprints.nearest(`0${'f'.repeat(31)}`)).toEqual({ index: 0, bits: 4 });
  expect(fingerprints.nearest('5'.repeat(32))).toBeNull();
});
