import { expect, test } from 'vitest';
import { createTimeLeft } from './time-left.js';

test('the time left follows the current rate of the stage, and restarts with the next', () => {
  let nowMs = 0;
  const timeLeft = createTimeLeft(() => nowMs);
  const at = (ms: number, done: number, stage = 'features') => {
    nowMs = ms;
    return timeLeft({ stage, done, total: 1000 });
  };
  expect(at(0, 0)).toBeUndefined();
  // What is kept already goes fast.
  expect(at(1000, 500)).toBe(1);
  for (let second = 2; second < 40; second += 1) at(1000 * second, 500 + second);
  expect(at(40_000, 540)).toBe(460);
  expect(at(41_000, 1, 'training')).toBeUndefined();
});
