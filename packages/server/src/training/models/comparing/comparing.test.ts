import { seededRandom } from '@lynceus/engine';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AnsweredImage, compareClassifiers, signTest } from './compare-classifiers.js';
import { compareDetectors } from './compare-detectors.js';
import { matchLabels } from './match-labels.js';

const label = (id: string, title: string) => ({ id, title });

describe('labels of a version and classes of a dataset', () => {
  test('are the same by id, and where a model came from elsewhere by title', () => {
    const dataset = [label('d:1', 'Cat'), label('d:2', 'dog'), label('d:3', 'cow')];
    const match = matchLabels([label('d:2', 'hound'), label('x', 'CAT'), label('none', 'none')], dataset);
    expect([label('d:2', 'hound'), label('x', 'CAT'), label('none', 'none')].map(match.classOf)).toEqual([
      1, 0, -1,
    ]);
    expect(match.missing).toEqual(['cow']);
  });
});

describe('a difference by chance', () => {
  test('follows the binomial distribution', () => {
    expect(signTest(0, 0)).toBe(1);
    expect(signTest(5, 5)).toBe(1);
    // 2 * (1 + 6) / 2^6
    expect(signTest(1, 5)).toBeCloseTo(14 / 64, 12);
    expect(signTest(400, 600)).toBeLessThan(1e-9);
  });

  test('is a probability, and the same whichever comes first', () => {
    const count = fc.integer({ min: 0, max: 500 });
    fc.assert(
      fc.property(count, count, (first, second) => {
        const chance = signTest(first, second);
        expect(chance).toBeGreaterThan(0);
        expect(chance).toBeLessThanOrEqual(1);
        expect(signTest(second, first)).toBe(chance);
      }),
    );
  });
});

test('two classifiers are compared by the images that only one of them classifies correctly', () => {
  const image = (id: number, shown: number[], first: number[], second: number[]): AnsweredImage => ({
    id,
    shown,
    answered: [first, second],
  });
  const compared = compareClassifiers(
    [
      image(1, [0], [0], [0]),
      image(2, [0], [1], [0]),
      image(3, [1], [1], [0]),
      image(4, [1], [0], [1]),
      // None of the classes: a label that the dataset does not have is right.
      image(5, [], [-1], [1]),
      image(6, [], [0], [1]),
    ],
    ['cat', 'dog'],
  );
  expect(compared).toMatchObject({
    both_right: 1,
    only_first_right: 2,
    only_second_right: 2,
    neither_right: 1,
    p_value: 1,
    figures: [{ accuracy: 0.5, balanced_accuracy: 0.5 }, { accuracy: 0.5 }],
  });
  expect(compared.differences[0]).toEqual({ image_id: 2, shown: ['cat'], answered: [['dog'], ['cat']] });
  expect(compared.differences.at(-1)).toEqual({
    image_id: 5,
    shown: [],
    answered: [['something else'], ['dog']],
  });
});

test('of two detectors the one that finds more has a difference whose interval leaves nothing out', async () => {
  const box = { xMin: 10, yMin: 10, xMax: 50, yMax: 50 };
  const elsewhere = { xMin: 200, yMin: 200, xMax: 240, yMax: 240 };
  const truths = [{ classIndex: 0, box }];
  const images = (right: number) =>
    Array.from({ length: 60 }, (_, index) => ({
      truths,
      detections: [{ classIndex: 0, score: 0.9, box: index < right ? box : elsewhere }],
    }));
  const { figures, ap50_difference: difference } = await compareDetectors(
    images(30),
    images(57),
    1,
    seededRandom(1),
  );
  expect(figures[0].recall).toBe(0.5);
  expect(figures[1].recall).toBe(0.95);
  expect(difference.value).toBeGreaterThan(0.4);
  expect(difference.interval.low).toBeGreaterThan(0.2);
  expect(difference.interval.high).toBeLessThan(0.9);
  const same = await compareDetectors(images(30), images(30), 1, seededRandom(1));
  expect(same.ap50_difference).toEqual({ value: 0, interval: { low: 0, high: 0 } });
});
