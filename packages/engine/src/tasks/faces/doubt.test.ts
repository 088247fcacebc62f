import { expect, test } from 'vitest';
import { measureDetailSpread } from './detail.js';
import { measureDoubt } from './doubt.js';

const even = 0.4;

const certain = { refinedProbability: 1, landmarkDisagreement: 0, mirrorCosine: 1 };

test('a face on which all signs agree is not doubted', () => {
  expect(measureDoubt(certain, even)).toBe(0);
  expect(measureDoubt({ refinedProbability: 0.998, landmarkDisagreement: 0.02 }, even)).toBeLessThan(1);
});

test.each([{ refinedProbability: 0.98 }, { landmarkDisagreement: 0.04 }, { mirrorCosine: 0.98 }])(
  'one sign is enough for doubt: %o',
  (sign) => {
    expect(measureDoubt({ ...certain, ...sign }, even)).toBeGreaterThan(1);
  },
);

test('a mirror image that is more like the face than rounding allows is no doubt', () => {
  expect(measureDoubt({ ...certain, mirrorCosine: 1.0000001 }, even)).toBe(0);
});

/** Brightness of an aligned face as a smooth surface of some waves, in steps of so many pixels. */
function drawWaves(square: number): Float32Array {
  const at = (value: number) => Math.floor(value / square) * square;
  return Float32Array.from({ length: 112 * 112 }, (_, pixel) => {
    const [x, y] = [at(pixel % 112), at(Math.floor(pixel / 112))];
    return 128 + 40 * Math.sin(x / 7) + 40 * Math.sin(y / 9 + x / 15);
  });
}

test('detail is spread over a face, and not over one in squares or of one colour', () => {
  const [smooth, squares] = [measureDetailSpread(drawWaves(1)), measureDetailSpread(drawWaves(8))];
  expect(measureDoubt(certain, smooth)).toBe(0);
  expect(measureDoubt(certain, squares)).toBeGreaterThan(1);
  expect(measureDetailSpread(new Float32Array(112 * 112).fill(90))).toBe(0);
});
