import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeAnchors, encodeAnchors } from './anchor-codec.js';

const features = fc.array(fc.float({ min: 0, max: 6, noNaN: true }), { maxLength: 40 });
const sides = fc.float({ min: -1, max: 2, noNaN: true });

test('kept features come back to half precision, and boxes exactly', () => {
  fc.assert(
    fc.property(features, features, fc.array(sides, { maxLength: 8 }), (first, second, numbers) => {
      const levels = [first, second].map((level) => Float32Array.from(level));
      const corners = Float32Array.from(numbers.slice(0, numbers.length - (numbers.length % 4)));
      const bytes = encodeAnchors({ levels, corners });
      const back = decodeAnchors(bytes, corners.length / 4, [first.length, second.length]);
      expect(back?.corners).toEqual(corners);
      for (const [level, values] of levels.entries()) {
        for (const [index, value] of values.entries()) {
          const difference = Math.abs((back?.levels[level]?.[index] ?? Number.NaN) - value);
          expect(difference).toBeLessThanOrEqual(Math.max(value * 2 ** -11, 2 ** -24));
        }
      }
    }),
  );
});

test('bytes of another length are rejected', () => {
  const bytes = encodeAnchors({ levels: [Float32Array.of(1, 2)], corners: new Float32Array(4) });
  expect(decodeAnchors(bytes.subarray(1), 1, [2])).toBeUndefined();
  expect(decodeAnchors(bytes, 1, [3])).toBeUndefined();
});
