import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Candidate } from './fuse.js';
import { weakenSecondLabels } from './second-labels.js';

const [dog, cat, bear] = [0, 1, 2];
const at = (classIndex: number, score: number, { x = 0, side = 100 } = {}): Candidate => ({
  classIndex,
  score,
  box: { xMin: x, yMin: 0, xMax: x + side, yMax: side },
});
const scores = (candidates: readonly Candidate[]) =>
  Object.fromEntries(
    weakenSecondLabels(candidates).map(({ classIndex, score }) => [classIndex, Number(score.toFixed(6))]),
  );

describe('of two labels on one box', () => {
  test('the better keeps its score, and the lesser has what is left of it if the better is wrong', () => {
    expect(scores([at(dog, 0.99), at(cat, 0.83)])).toEqual({ [dog]: 0.99, [cat]: 0.0083 });
    expect(scores([at(dog, 0.5), at(cat, 0.5, { x: 5 })])).toEqual({ [dog]: 0.5, [cat]: 0.25 });
  });

  test('a third counts both, and a second box of a class counts once', () => {
    expect(scores([at(dog, 0.6), at(dog, 0.6, { x: 3 }), at(cat, 0.5), at(bear, 0.5)])).toEqual({
      [dog]: 0.6,
      [cat]: 0.2,
      [bear]: 0.1,
    });
  });

  test('never more than one scores above .25', () => {
    const score = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(score, { minLength: 2, maxLength: 6 }), (values) => {
        const ordered = [...values].sort((a, b) => b - a).map((value, index) => at(index, value));
        const [best, ...others] = weakenSecondLabels(ordered);
        expect(best).toEqual(ordered[0]);
        for (const other of others) expect(other.score).toBeLessThanOrEqual(0.25);
      }),
    );
  });
});

test('two objects keep their scores: side by side, one inside the other, a rider on a motorcycle', () => {
  const pairs = [
    [at(dog, 0.9), at(cat, 0.8, { x: 60 })],
    [at(dog, 0.9), at(cat, 0.8, { side: 30 })],
    [at(dog, 0.9), at(cat, 0.8, { side: 85 })],
  ];
  for (const pair of pairs) expect(scores(pair)).toEqual({ [dog]: 0.9, [cat]: 0.8 });
});

test('the boxes of one class are left to their own suppression', () => {
  expect(weakenSecondLabels([at(dog, 0.9), at(dog, 0.8)])).toEqual([at(dog, 0.9), at(dog, 0.8)]);
});

test('a box that was weakened ranks behind those that were not', () => {
  const [first, second, third] = weakenSecondLabels([at(dog, 0.9), at(cat, 0.8), at(cat, 0.3, { x: 500 })]);
  expect([first?.classIndex, second?.box.xMin, third?.box.xMin]).toEqual([dog, 500, 0]);
});
