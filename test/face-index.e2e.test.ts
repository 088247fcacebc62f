import { expect, test } from 'vitest';
import { measureAlone } from '#bench/face-index/alone.js';
import { measureChanges } from '#bench/face-index/changes.js';

// The short form of `npm run bench -- face-index`. Its bounds are wide: machines that run tests have other things to do.

test('ten thousand faces are searched about as fast as the library can, one person at once', async () => {
  const { search, ofPerson, ratio, loopMaxMs } = await measureAlone(10_000, 60);
  expect(ratio).toBeLessThan(6);
  expect(search.p50Ms).toBeLessThan(200);
  expect(ofPerson.p50Ms).toBeLessThan(100);
  expect(loopMaxMs).toBeLessThan(2000);
});

test('what was inserted is found by the next search, and what was deleted is not', {
  timeout: 300_000,
}, async () => {
  // Throws where it is not so.
  const { insert, remove, memoryGrowth } = await measureChanges(500, 400);
  expect(insert.p50Ms).toBeLessThan(2000);
  expect(remove.p50Ms).toBeLessThan(2000);
  expect(memoryGrowth).toBeLessThan(1.5);
});
