import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { mapOrdered } from './map-ordered.js';

test('answers come in order, and no more items are under way or waiting than the limit', async () => {
  let [running, most] = [0, 0];
  const results: number[] = [];
  const work = async (item: number) => {
    running += 1;
    most = Math.max(most, running);
    for (let turn = 0; turn < 8 - (item % 8); turn += 1) await setImmediate();
    running -= 1;
    return item;
  };
  const items = Array.from({ length: 30 }, (_, index) => index);
  for await (const result of mapOrdered(items, 4, work)) results.push(result);
  expect(results).toEqual(items);
  expect(most).toBe(4);
});

test('a failure is thrown in its turn, when those under way have ended', async () => {
  const ended: number[] = [];
  const seen: number[] = [];
  const run = async () => {
    const work = async (item: number) => {
      for (let turn = 0; turn < item; turn += 1) await setImmediate();
      if (item === 2) throw new Error('two');
      ended.push(item);
      return item;
    };
    for await (const result of mapOrdered([1, 2, 3, 4, 5, 6], 3, work)) seen.push(result);
  };
  await expect(run()).rejects.toThrow('two');
  expect(seen).toEqual([1]);
  expect(ended.sort()).toEqual([1, 3, 4]);
});

test('where the items end with an error, answers to those before it come first', async () => {
  async function* items() {
    yield 1;
    yield 2;
    await setImmediate();
    throw new Error('no third one');
  }
  const seen: number[] = [];
  const run = async () => {
    for await (const result of mapOrdered(items(), 4, async (item) => item)) seen.push(result);
  };
  await expect(run()).rejects.toThrow('no third one');
  expect(seen).toEqual([1, 2]);
});
