import { expect, test } from 'vitest';
import { measureDoubt } from './doubt.js';

const certain = { refinedProbability: 1, landmarkDisagreement: 0, mirrorCosine: 1 };

test('a face on which all signs agree is not doubted', () => {
  expect(measureDoubt(certain)).toBe(0);
  expect(measureDoubt({ refinedProbability: 0.998, landmarkDisagreement: 0.02 })).toBeLessThan(1);
});

test.each([{ refinedProbability: 0.98 }, { landmarkDisagreement: 0.04 }, { mirrorCosine: 0.98 }])(
  'one sign is enough for doubt: %o',
  (sign) => {
    expect(measureDoubt({ ...certain, ...sign })).toBeGreaterThan(1);
  },
);

test('a mirror image that is more like the face than rounding allows is no doubt', () => {
  expect(measureDoubt({ ...certain, mirrorCosine: 1.0000001 })).toBe(0);
});
