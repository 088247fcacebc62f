import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FairQueue } from './fair-queue.js';
import { RecentOwners } from './recent-owners.js';

/** Owners whose queues are never empty, with the cost of each of their entries, while `seconds` are given out one entry at a time. */
function spend(costs: ReadonlyMap<string, number>, seconds: number): ReadonlyMap<string, number> {
  const queue = new FairQueue<object>(() => 0);
  const spent = new Map([...costs.keys()].map((name) => [name, 0]));
  for (const name of costs.keys()) for (let n = 0; n < 3; n += 1) queue.add({}, name);
  for (let total = 0; total < seconds; ) {
    const taken = queue.take();
    if (!taken) throw new Error('the queue is empty');
    const cost = costs.get(taken.owner) ?? 0;
    taken.end(cost);
    queue.add({}, taken.owner);
    spent.set(taken.owner, (spent.get(taken.owner) ?? 0) + cost);
    total += cost;
  }
  return spent;
}

test('owners get the same seconds, whatever an entry of theirs costs, to within two entries', () => {
  const costs = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 2, maxLength: 6 });
  fc.assert(
    fc.property(costs, (all) => {
      const byOwner = new Map(all.map((cost, index) => [`${index}`, cost / 100]));
      const spent = [...spend(byOwner, 500).values()];
      expect(Math.max(...spent) - Math.min(...spent)).toBeLessThanOrEqual((2 * Math.max(...all)) / 100);
    }),
  );
});

describe('an owner whose entry cost ten seconds', () => {
  const queueAfter = () => {
    let now = 0;
    const queue = new FairQueue<string>(() => now);
    queue.add('a0', 'a');
    queue.take()?.end(10);
    queue.add('b0', 'b');
    queue.take()?.end(0.1);
    const takeAll = () => Array.from({ length: queue.length }, () => queue.take()?.entry);
    return { queue, takeAll, wait: (ms: number) => (now += ms) };
  };

  test('comes after others that have used less, however many they have', () => {
    const { queue, takeAll } = queueAfter();
    queue.add('a1', 'a');
    for (let index = 1; index < 50; index += 1) queue.add(`b${index}`, 'b');
    expect(takeAll().indexOf('a1')).toBe(49);
  });

  test('is as the others again when it has stayed away for as long', () => {
    const { queue, takeAll, wait } = queueAfter();
    wait(10_000);
    queue.add('a1', 'a');
    for (let index = 1; index < 50; index += 1) queue.add(`b${index}`, 'b');
    expect(takeAll().indexOf('a1')).toBeLessThan(2);
  });

  test('is forgiven each idle second once, however many entries it adds and removes', () => {
    for (const removed of [0, 1, 3, 9, 100]) {
      const { queue, takeAll, wait } = queueAfter();
      wait(1000);
      for (let index = 0; index < removed; index += 1) {
        queue.add(`dropped${index}`, 'a');
        queue.remove(`dropped${index}`);
      }
      queue.add('a1', 'a');
      for (let index = 1; index < 200; index += 1) queue.add(`b${index}`, 'b');
      expect(takeAll().indexOf('a1')).toBe(91);
    }
  });

  test('has every turn where nobody else waits', () => {
    const { queue, takeAll } = queueAfter();
    for (const entry of ['a1', 'a2']) queue.add(entry, 'a');
    expect(takeAll()).toEqual(['a1', 'a2']);
  });
});

test('owners that come and go leave nothing behind', () => {
  let now = 0;
  const queue = new FairQueue<number>(() => now);
  for (let index = 0; index < 10_000; index += 1) {
    queue.add(index, `${index}`);
    queue.take()?.end(index % 2);
    now += 10;
  }
  expect(queue.known).toBeLessThan(3000);
});

test('10,000 owners cost no more each than few do', () => {
  const cost = (owners: number) => {
    const queue = new FairQueue<number>();
    const since = performance.now();
    for (let index = 0; index < owners; index += 1) queue.add(index, `${index}`);
    while (queue.length > 0) queue.take()?.end();
    return (1000 * (performance.now() - since)) / owners;
  };
  cost(10_000);
  const [few, many] = [100, 10_000].map((owners) =>
    Math.min(...Array.from({ length: 5 }, () => cost(owners))),
  );
  expect(many).toBeLessThan(10 * (few ?? 0) + 20);
});

test('another has asked of late: whoever asked last, and whoever did before', () => {
  let now = 0;
  const owners = new RecentOwners(60_000, () => now);
  owners.asked('a');
  expect([owners.hasOtherThan('a'), owners.hasOtherThan('b')]).toEqual([false, true]);
  owners.asked('b');
  for (; now < 59_000; now += 1000) owners.asked('a');
  expect([owners.hasOtherThan('a'), owners.hasOtherThan('b'), owners.hasOtherThan('c')]).toEqual([
    true,
    true,
    true,
  ]);
  now = 60_000;
  expect([owners.hasOtherThan('a'), owners.hasOtherThan('b')]).toEqual([false, true]);
});
