import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ownedUuid } from '../../../storage/blobs/owned-id.js';
import { frigateId, startOfFrigateId } from './frigate-id.js';

test('an id of Frigate says when its track started, has its form, and is always the same', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.integer({ min: 0, max: 4_102_444_800_000 }), (trackId, startedAt) => {
      const id = frigateId(trackId, startedAt);
      expect(id).toMatch(/^\d+\.\d{6}-[a-z0-9]{6}$/);
      expect(startOfFrigateId(id)).toBe(startedAt);
      expect(frigateId(trackId, startedAt)).toBe(id);
    }),
  );
});

test('tracks that start at the same moment have different ids', () => {
  const ids = Array.from({ length: 1000 }, () => frigateId(ownedUuid(1), 1_700_000_000_000));
  expect(new Set(ids).size).toBe(1000);
});

test('what is no id of Frigate is none', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.constantFrom('1.2-abcdef', '..', '1e3.000000-abcdef')), (text) => {
      const start = startOfFrigateId(text);
      if (start !== null) expect(text).toMatch(/^\d{1,11}\.\d{6}-[a-z0-9]{6}$/);
    }),
  );
  expect(startOfFrigateId('1607123955.475377-mxklsc')).toBe(1_607_123_955_475);
});
