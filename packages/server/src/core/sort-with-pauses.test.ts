import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sortWithPauses } from './sort-with-pauses.js';

test('any items are sorted as by an array, equal ones in the order that they had', async () => {
  const items = fc
    .array(fc.nat(50), { size: 'max', maxLength: 5000 })
    .map((keys) => keys.map((key, place) => ({ key, place })));
  await fc.assert(
    fc.asyncProperty(items, async (given) => {
      const compare = (a: { key: number }, b: { key: number }) => a.key - b.key;
      expect(await sortWithPauses(given, compare, () => undefined)).toEqual([...given].sort(compare));
    }),
    { numRuns: 40 },
  );
});
