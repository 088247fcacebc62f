import { expect, test } from 'vitest';
import { groupNear } from './group-near.js';

test('groups are of images that are near each other, also through a third', async () => {
  const fingerprints = ['f'.repeat(32), `00${'f'.repeat(30)}`, `0000${'f'.repeat(28)}`, '0'.repeat(32)];
  const groups = await groupNear([...fingerprints, 'f'.repeat(32)], () => undefined);
  expect(groups[0]).toBe(groups[1]);
  expect(groups[0]).toBe(groups[2]);
  expect(groups[0]).toBe(groups[4]);
  expect(groups[0]).not.toBe(groups[3]);
});
