import fc from 'fast-check';
import { expect, test } from 'vitest';
import { faceWeight } from './face-quality.js';

const good = {
  sizePx: 120,
  sharpness: 500,
  yawDeg: 0,
  pitchDeg: 0,
  rollDeg: 0,
  brightness: 120,
  problems: [],
};

test('a good face has full weight, and each fault takes from it', () => {
  expect(faceWeight(good)).toBe(1);
  const worse = [{ sizePx: 40 }, { sharpness: 20 }, { yawDeg: -40 }, { pitchDeg: 30 }];
  for (const change of worse) expect(faceWeight({ ...good, ...change })).toBeLessThan(0.8);
  expect(faceWeight({ ...good, problems: ['landmarks-implausible'] })).toBe(0.5);
});

test('a weight is between 0 and 1', () => {
  const angle = fc.double({ min: -180, max: 180, noNaN: true });
  const size = fc.double({ min: 0, max: 1e4, noNaN: true });
  fc.assert(
    fc.property(size, size, angle, angle, (sizePx, sharpness, yawDeg, pitchDeg) => {
      const weight = faceWeight({ ...good, sizePx, sharpness, yawDeg, pitchDeg });
      expect(weight >= 0 && weight <= 1).toBe(true);
    }),
  );
});
