import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readKeptCrops, writeKeptCrops } from './crop-codec.js';

const float = fc.float({ noNaN: true });
const crops = fc.integer({ min: 1, max: 6 }).chain((dims) =>
  fc.array(
    fc.record({
      corners: fc.array(float, { minLength: 4, maxLength: 4 }).map((sides) => Float32Array.from(sides)),
      features: fc.array(float, { minLength: dims, maxLength: dims }).map((row) => Float32Array.from(row)),
    }),
    { maxLength: 10 },
  ),
);

test('crops of an image survive writing and reading', () => {
  fc.assert(
    fc.property(crops, (some) => {
      expect(readKeptCrops(writeKeptCrops(some))).toEqual(some);
    }),
  );
});

test('an entry does not grow without end, and the newest crops stay', () => {
  const crop = (side: number) => ({ corners: Float32Array.of(side, 0, 1, 1), features: Float32Array.of(1) });
  const kept = readKeptCrops(writeKeptCrops(Array.from({ length: 100 }, (_, index) => crop(index))));
  expect(kept.length).toBeLessThan(50);
  expect(kept[0]).toEqual(crop(0));
});

test('whatever else an entry holds, it has no crops or whole ones', () => {
  expect(readKeptCrops(undefined)).toEqual([]);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      for (const { corners, features } of readKeptCrops(bytes)) {
        expect(corners).toHaveLength(4);
        expect(features.length).toBeGreaterThan(0);
      }
    }),
  );
});
