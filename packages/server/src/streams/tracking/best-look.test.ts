import { expect, test } from 'vitest';
import { isClearlyBetter, rateLook } from './best-look.js';
import { boxAt } from './fixtures/boxes.js';

const frame = { width: 1000, height: 1000 };
const rate = (side: number, { score = 0.8, x = 500, faceQuality = null as number | null } = {}) =>
  rateLook({ ...frame, box: boxAt(x, 500, side, side), score, faceQuality });

test('a face counts most, and a good one more than a poor one', () => {
  expect(rate(50, { score: 0.4, faceQuality: 0.1 })).toBeGreaterThan(rate(900, { score: 0.99 }));
  expect(isClearlyBetter(rate(200, { faceQuality: 0.7 }), rate(200, { faceQuality: 0.2 }))).toBe(true);
});

test('larger, surer and whole is better', () => {
  expect(isClearlyBetter(rate(300), rate(150))).toBe(true);
  expect(isClearlyBetter(rate(200, { score: 0.9 }), rate(200, { score: 0.6 }))).toBe(true);
  expect(isClearlyBetter(rate(200), rate(200, { x: 100 }))).toBe(true);
});

test('nearly the same is not clearly better', () => {
  expect(isClearlyBetter(rate(205, { score: 0.82 }), rate(200))).toBe(false);
});

test('a quality that is no number counts as no face', () => {
  expect(rate(200, { faceQuality: Number.NaN })).toBe(rate(200));
});
