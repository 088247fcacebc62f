import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { forEachLimited } from './for-each-limited.js';

test('works on every item once, and on no more than the limit at once', async () => {
  const done: number[] = [];
  let [running, most] = [0, 0];
  await forEachLimited([1, 2, 3, 4, 5], 2, async (item) => {
    running += 1;
    most = Math.max(most, running);
    await nextTurn();
    running -= 1;
    done.push(item);
  });
  expect(done.toSorted()).toEqual([1, 2, 3, 4, 5]);
  expect(most).toBe(2);
});

test('throws a failure after those under way have ended, and starts no other', async () => {
  const ended: number[] = [];
  const work = forEachLimited([1, 2, 3, 4], 2, async (item) => {
    if (item === 1) throw new Error('the first fails');
    await nextTurn();
    ended.push(item);
  });
  await expect(work).rejects.toThrow('the first fails');
  expect(ended).toEqual([2]);
});
