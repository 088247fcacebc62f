import { expect, test } from 'vitest';
import { withRetries } from './with-retries.js';

const limits = { giveUpAfterMs: 300, firstPauseMs: 5, maxPauseMs: 50 };
class Passing extends Error {}
const isPassing = (error: unknown) => error instanceof Passing;

test('what passes is repeated until it succeeds', async () => {
  let tries = 0;
  const work = async () => {
    tries += 1;
    if (tries < 4) throw new Passing();
    return tries;
  };
  expect(await withRetries(work, isPassing, limits)).toBe(4);
});

test('it is given up after the time for it, with the last error', async () => {
  const beganMs = performance.now();
  let tries = 0;
  const work = async () => {
    tries += 1;
    throw new Passing(String(tries));
  };
  await expect(withRetries(work, isPassing, limits)).rejects.toThrow(Passing);
  expect(tries).toBeGreaterThan(2);
  expect(performance.now() - beganMs).toBeGreaterThan(100);
});

test('what does not pass is thrown at once', async () => {
  let tries = 0;
  const work = async () => {
    tries += 1;
    throw new Error('no');
  };
  await expect(withRetries(work, isPassing, limits)).rejects.toThrow('no');
  expect(tries).toBe(1);
});
