import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Calibration } from '../../catalog/manifest.js';
import { calibrate, uncalibrate } from './detect.js';

const calibration: Calibration = {
  version: 'test/1',
  points: [
    [0, 0],
    [0.2, 0.4],
    [1, 1],
  ],
};

test('the measured working point maps to 0.4, and the ends stay', () => {
  expect(calibrate(calibration, 0.2)).toBeCloseTo(0.4);
  expect(calibrate(calibration, 0)).toBe(0);
  expect(calibrate(calibration, 1)).toBe(1);
});

test('a better score stays better, and the inverse gives the same score', () => {
  const score = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(score, score, (a, b) => {
      if (a + 1e-9 < b) expect(calibrate(calibration, a)).toBeLessThan(calibrate(calibration, b));
      expect(uncalibrate(calibration, calibrate(calibration, a))).toBeCloseTo(a, 9);
    }),
  );
});

test('without a calibration the own score of the model is returned', () => {
  expect(calibrate(undefined, 0.3)).toBe(0.3);
});
