import { expect, test } from 'vitest';
import { seededRandom } from './bootstrap.js';
import { reliabilityOf, type Scored } from './reliability.js';

const answersOf = (count: number, isRight: (score: number, random: () => number) => boolean): Scored[] => {
  const random = seededRandom(3);
  return Array.from({ length: count }, (_, image) => {
    const score = random();
    return { image, score, isRight: isRight(score, random) };
  });
};

test('scores that say how often answers are right have an error near that of exact scores', () => {
  const { error, exact, bins } = reliabilityOf(
    answersOf(2000, (score, random) => random() < score),
    2000,
  );
  expect(error).toBeLessThan(exact.high);
  expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(2000);
});

test('scores that are too high have an error far above that of exact scores, and the interval holds it', () => {
  const { error, exact, interval } = reliabilityOf(
    answersOf(500, (score, random) => random() < score / 2),
    500,
  );
  expect(error).toBeGreaterThan(2 * exact.high);
  expect(error).toBeGreaterThan(0.2);
  expect(interval.low).toBeLessThan(error);
  expect(interval.high).toBeGreaterThan(error);
});
