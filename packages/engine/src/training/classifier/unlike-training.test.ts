import { expect, test } from 'vitest';
import { seededRandom } from '../seeded-random.js';
import type { Matrix } from './matrix.js';
import { fitUnlikeGate, unlikeProbability, unlikeShare } from './unlike-training.js';

const columns = 24;
const random = seededRandom(5);

/** Rows of length 1 around a direction. */
function around(direction: number, rows: number, noise: number): Matrix<Float32Array> {
  const data = new Float32Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    const one = Array.from(
      { length: columns },
      (_, at) => (at === direction ? 1 : 0) + noise * (random() - 0.5),
    );
    const length = Math.hypot(...one);
    data.set(
      one.map((value) => value / length),
      row * columns,
    );
  }
  return { data, rows, columns };
}

const labelled = (features: Matrix<Float32Array>) => ({
  features,
  shown: Array.from({ length: features.rows }, () => [0]),
});

test('the curve lies between training images and photographs of other things', () => {
  const own = labelled(around(0, 20, 0.6));
  const gate = fitUnlikeGate(own, around(1, 60, 0.6), 1);
  if (!gate) throw new Error('there is no gate');
  expect(unlikeShare(gate, around(0, 200, 0.6)).share).toBeLessThan(0.02);
  expect(unlikeShare(gate, around(1, 200, 0.6)).share).toBeGreaterThan(0.98);
  expect(unlikeShare(gate, around(2, 200, 0.6)).share).toBeGreaterThan(0.98);
});

test('without such photographs the curve follows the spread of the training images', () => {
  const gate = fitUnlikeGate(labelled(around(0, 40, 0.6)), undefined, 1);
  if (!gate) throw new Error('there is no gate');
  expect(unlikeShare(gate, around(0, 400, 0.6)).share).toBeLessThan(0.2);
  expect(unlikeShare(gate, around(1, 100, 0.6)).share).toBe(1);
});

test('photographs that resemble the training images more than these each other are no measure', () => {
  const spread = labelled(around(0, 30, 3));
  const gate = fitUnlikeGate(spread, { ...spread.features }, 1);
  const alone = fitUnlikeGate(spread, undefined, 1);
  expect(gate?.threshold).toBe(alone?.threshold);
});

test('a training image itself is certainly none unlike them', () => {
  const own = labelled(around(0, 20, 0.6));
  const gate = fitUnlikeGate(own, around(1, 60, 0.6), 1);
  if (!gate) throw new Error('there is no gate');
  expect(unlikeProbability(gate, own.features, 3)).toBeLessThan(0.05);
});

test('of many training images some stand for all', () => {
  expect(fitUnlikeGate(labelled(around(0, 900, 0.6)), undefined, 1)?.exemplars.rows).toBeLessThanOrEqual(256);
});

test('a few training images are too few', () => {
  expect(fitUnlikeGate(labelled(around(0, 4, 0.6)), around(1, 60, 0.6), 1)).toBeUndefined();
});
