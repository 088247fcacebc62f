import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createLeaseKeeper } from './lease-keeper.js';

/** Long enough for a look of a busy machine to come in time. */
const leaseMs = 1200;

test('a lease is renewed for as long as it is kept, all with one statement', async () => {
  const asked: (readonly string[])[] = [];
  const keeper = createLeaseKeeper({
    leaseMs,
    renew: async (keys) => {
      asked.push(keys);
      return new Set(keys);
    },
  });
  const [one, two] = [keeper.keep('one'), keeper.keep('two')];
  await vi.waitUntil(() => asked.length >= 4, { timeout: 30_000 });
  expect([one.signal.aborted, two.signal.aborted]).toEqual([false, false]);
  expect(asked.every((keys) => keys.length === 2)).toBe(true);
  one.end();
  two.end();
  await sleep(leaseMs / 2);
  const before = asked.length;
  await sleep(leaseMs);
  expect(asked.length).toBe(before);
  expect(keeper.has('one')).toBe(false);
});

test('one that another has taken is lost, and the others are not', async () => {
  const keeper = createLeaseKeeper({ leaseMs, renew: async () => new Set(['mine']) });
  const [mine, lost] = [keeper.keep('mine'), keeper.keep('lost')];
  await vi.waitUntil(() => lost.signal.aborted, { timeout: 30_000 });
  expect(mine.signal.aborted).toBe(false);
  mine.end();
  lost.end();
});

test('where the database refuses or does not answer, all are lost before their time is over', async () => {
  const silent = createLeaseKeeper({ leaseMs, renew: () => new Promise(() => undefined) });
  const refused = createLeaseKeeper({ leaseMs, renew: () => Promise.reject(new Error('away')) });
  for (const keeper of [silent, refused]) {
    const began = performance.now();
    const { signal, end } = keeper.keep('a');
    await vi.waitUntil(() => signal.aborted, { timeout: 30_000, interval: 10 });
    expect(performance.now() - began).toBeGreaterThan(leaseMs / 2);
    end();
  }
});
