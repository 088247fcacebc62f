import { expect, test } from 'vitest';
import { seededRandom } from '../seeded-random.js';
import { type CropRow, fitSecondLook, lookOnLine, raiseOf } from './second-look.js';

const dims = 12;
const random = seededRandom(3);

/** Features of length 1 around an axis. */
function around(axis: number): Float32Array {
  const row = Float32Array.from(
    { length: dims },
    (_, dim) => (dim === axis ? 1 : 0) + 0.4 * (random() - 0.5),
  );
  const length = Math.hypot(...row);
  return row.map((value) => value / length);
}

function rows(boxes: readonly number[], others = 40): CropRow[] {
  return [
    ...boxes.flatMap((count, label) =>
      Array.from({ length: count }, () => ({ features: around(label), label, weight: 1 })),
    ),
    ...Array.from({ length: others }, (_, index) => ({ features: around(6 + (index % 4)), weight: 0.3 })),
  ];
}

test('a box is raised where its crop shows the label, and lowered where it shows another thing', () => {
  const look = fitSecondLook(rows([12, 12]), 2);
  if (!look) throw new Error('nothing was learnt');
  expect(raiseOf(look, 0, around(0))).toBeGreaterThan(2);
  expect(raiseOf(look, 0, around(1))).toBeLessThan(0);
  expect(raiseOf(look, 1, around(1))).toBeGreaterThan(2);
  expect(raiseOf(look, 0, around(7))).toBeLessThan(-2);
});

test('no crop raises a box by more than a bound', () => {
  const look = fitSecondLook(rows([12]), 1);
  if (!look) throw new Error('nothing was learnt');
  const extreme = Float32Array.from({ length: dims }, (_, dim) => (dim === 0 ? 100 : 0));
  expect(raiseOf(look, 0, extreme)).toBe(look.gain * look.cap);
});

test('boxes of a label with few examples are all raised alike', () => {
  const look = fitSecondLook(rows([12, 3]), 2);
  if (!look) throw new Error('nothing was learnt');
  expect(raiseOf(look, 1, around(1))).toBeCloseTo(raiseOf(look, 1, around(8)), 3);
});

test('few boxes, or few crops of other things, teach nothing', () => {
  expect(fitSecondLook(rows([4]), 1)).toBeUndefined();
  expect(fitSecondLook(rows([12], 19), 1)).toBeUndefined();
  expect(fitSecondLook([], 1)).toBeUndefined();
});

test('on the line to shown logits, a raise has the slope of the line', () => {
  const look = fitSecondLook(rows([12]), 1);
  if (!look) throw new Error('nothing was learnt');
  const shown = lookOnLine({ slope: 0.5, shift: -1 }, look);
  const crop = around(0);
  expect(raiseOf(shown, 0, crop)).toBeCloseTo(0.5 * raiseOf(look, 0, crop), 6);
  expect(shown.leastLogit).toBeCloseTo(0.5 * look.leastLogit - 1, 6);
});
