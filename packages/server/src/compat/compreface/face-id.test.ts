import { expect, test } from 'vitest';
import { readFaceId, toFaceId } from './face-id.js';

test.each([
  { accountId: 1, perceptionId: 1, imageId: 1 },
  { accountId: 0, perceptionId: 0, imageId: 0 },
  { accountId: 2 ** 40, perceptionId: 2 ** 36 - 1, imageId: 2 ** 42 - 1 },
  { accountId: 7, perceptionId: 2 ** 33 + 5, imageId: 1_000_003 },
])('a UUID of version 8 leads back to %o', (face) => {
  const id = toFaceId(face);
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(toFaceId(face)).toBe(id);
  expect(readFaceId(id)).toEqual(face);
  expect(readFaceId(id.toUpperCase())).toEqual(face);
});

test.each([
  '',
  'x',
  '1',
  '6b135f5b-a365-4522-b1f1-4c9ac2dd0728',
  `${toFaceId({ accountId: 1, perceptionId: 1, imageId: 1 })}0`,
])('anything else is none: "%s"', (id) => {
  expect(readFaceId(id)).toBeNull();
});
