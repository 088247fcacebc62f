import { expect, test } from 'vitest';
import { oneIn } from './face-report.js';

test.each([
  [0.5, 2],
  [0.4, 3],
  [0.0004, 2500],
  [0.00123, 810],
  [0.000004, 250_000],
])('a rate of %d is one in %d', (rate, times) => {
  expect(oneIn(rate)).toBe(times);
});

test('a rate above a half is not "one in" a number', () => {
  expect(oneIn(0.8)).toBeNull();
});
