import { expect, test } from 'vitest';
import { bootstrapInterval } from './bootstrap.js';

test('the bootstrap interval is the same at every run and contains the mean', () => {
  const values = Array.from({ length: 50 }, (_, index) => index);
  const mean = (weights: readonly number[]) =>
    weights.reduce((sum, weight, index) => sum + weight * (values[index] ?? 0), 0) / 50;
  const interval = bootstrapInterval(50, mean);
  expect(interval).toEqual(bootstrapInterval(50, mean));
  expect(interval.low).toBeGreaterThan(19);
  expect(interval.low).toBeLessThan(24.5);
  expect(interval.high).toBeGreaterThan(24.5);
  expect(interval.high).toBeLessThan(30);
});
