import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JobQueue } from './job-queue.js';
import { type Priority, priorities } from './priority.js';

const rank: Readonly<Record<Priority, number>> = { interactive: 0, stream: 1, batch: 2, background: 3 };
const priority = fc.constantFrom(...priorities);

test('higher classes come first, and within one the oldest', () => {
  fc.assert(
    fc.property(fc.array(priority, { maxLength: 40 }), (priorities) => {
      const queue = new JobQueue<number>({ maxEntries: 100 });
      for (const [index, each] of priorities.entries()) queue.add(index, each, 'one');
      const expected = priorities
        .map((each, index) => ({ index, rank: rank[each] }))
        .sort((a, b) => a.rank - b.rank || a.index - b.index)
        .map(({ index }) => index);
      expect(queue.takeAll()).toEqual(expected);
      expect(queue.length).toBe(0);
    }),
  );
});

test('it never holds more than its bound, and reports every entry that it drops', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(priority, fc.constantFrom('a', 'b', 'c')), { maxLength: 60 }),
      fc.integer({ min: 1, max: 8 }),
      (added, bound) => {
        const queue = new JobQueue<number>({ maxEntries: bound });
        let refused = 0;
        added.forEach(([each, owner], index) => {
          const { accepted, displaced } = queue.add(index, each, owner);
          if (!accepted) refused += 1;
          if (displaced !== undefined) {
            refused += 1;
            const [theirs, theirOwner] = added[displaced] ?? [];
            expect(rank[theirs ?? 'interactive'] > rank[each] || theirOwner !== owner).toBe(true);
          }
          expect(queue.length).toBeLessThanOrEqual(bound);
        });
        expect(queue.length + refused).toBe(added.length);
      },
    ),
  );
});

describe('owners', () => {
  test('take turns within a priority, so that one of them waits for no queue of another', () => {
    const queue = new JobQueue<string>({ maxEntries: 1000 });
    for (let index = 0; index < 200; index += 1) queue.add(`a${index}`, 'interactive', 'a');
    queue.add('b0', 'interactive', 'b');
    queue.add('b1', 'interactive', 'b');
    const taken = Array.from({ length: 5 }, () => queue.take()?.entry);
    expect(taken).toEqual(['a0', 'b0', 'a1', 'b1', 'a2']);
  });

  test('that have as many under way as they may are passed over until one ends, over all priorities', () => {
    const queue = new JobQueue<string>({ maxEntries: 100, maxRunningOf: () => 2 });
    for (const entry of ['a0', 'a1', 'a2']) queue.add(entry, 'interactive', 'a');
    queue.add('b0', 'background', 'b');
    const runs = Array.from({ length: 4 }, () => queue.take());
    expect(runs.map((run) => run?.entry)).toEqual(['a0', 'a1', 'b0', undefined]);
    queue.add('a3', 'interactive', 'a');
    queue.add('a4', 'background', 'a');
    expect(queue.take()).toBeUndefined();
    expect(queue.takeable).toBe(0);
    runs[0]?.end();
    expect(queue.takeable).toBe(1);
    expect([queue.take()?.entry, queue.take()]).toEqual(['a2', undefined]);
    expect(queue.takeAll()).toEqual(['a3', 'a4']);
  });

  test('with few entries find room in a queue that another has filled, and none more than their share', () => {
    const queue = new JobQueue<string>({ maxEntries: 8 });
    for (let index = 0; index < 8; index += 1) queue.add(`a${index}`, 'interactive', 'a');
    expect(queue.add('a8', 'interactive', 'a')).toEqual({ accepted: false });
    const displaced = Array.from(
      { length: 6 },
      (_, index) => queue.add(`b${index}`, 'interactive', 'b').displaced,
    );
    expect(displaced).toEqual(['a7', 'a6', 'a5', 'a4', undefined, undefined]);
    expect(queue.length).toBe(8);
  });

  test('with more than half of a full queue leave room for any class of another, and not for their own', () => {
    const queue = new JobQueue<string>({ maxEntries: 4 });
    queue.add('a0', 'batch', 'a');
    for (const entry of ['a1', 'a2', 'a3']) queue.add(entry, 'interactive', 'a');
    expect(queue.add('b0', 'background', 'b')).toEqual({ accepted: true, displaced: 'a0' });
    expect(queue.add('b1', 'background', 'b')).toEqual({ accepted: true, displaced: 'a3' });
    // Half and half: the classes decide again.
    expect(queue.add('b2', 'background', 'b')).toEqual({ accepted: false });
    expect(queue.add('a4', 'interactive', 'a')).toEqual({ accepted: true, displaced: 'b1' });
    expect(queue.add('a5', 'interactive', 'a')).toEqual({ accepted: false });
  });

  test('that may have no more under way make room for one that may, whatever the class', () => {
    const queue = new JobQueue<string>({ maxEntries: 4, maxRunningOf: () => 1 });
    for (const entry of ['a0', 'b0']) queue.add(entry, 'interactive', entry.slice(0, 1));
    expect([queue.take()?.entry, queue.take()?.entry]).toEqual(['a0', 'b0']);
    for (const entry of ['a1', 'a2', 'b1', 'b2']) queue.add(entry, 'interactive', entry.slice(0, 1));
    expect([queue.length, queue.takeable]).toEqual([4, 0]);
    const { accepted, displaced } = queue.add('c0', 'background', 'c');
    expect([accepted, displaced]).toEqual([true, 'a2']);
    expect(queue.take()?.entry).toBe('c0');
    // It has one under way as they have, and waits behind its limit too.
    queue.add('c1', 'background', 'c');
    expect(queue.add('c2', 'background', 'c')).toEqual({ accepted: false });
  });

  test('that leave take their turn with them', () => {
    const queue = new JobQueue<string>({ maxEntries: 100 });
    for (const owner of ['a', 'b', 'c']) queue.add(owner, 'batch', owner);
    expect(queue.remove('b')).toBe(true);
    expect(queue.remove('b')).toBe(false);
    queue.add('b2', 'batch', 'b');
    expect(queue.takeAll()).toEqual(['a', 'c', 'b2']);
  });
});

/** Microseconds per entry, for `count` entries of `owners` that are added, sometimes removed, and taken. */
function costOf(count: number, owners: number): number {
  const queue = new JobQueue<number>({ maxEntries: count, maxRunningOf: () => count });
  const began = performance.now();
  for (let index = 0; index < count; index += 1) queue.add(index, 'batch', String(index % owners));
  for (let index = 0; index < count; index += 10) queue.remove(index);
  while (queue.take() !== undefined);
  return ((performance.now() - began) * 1000) / count;
}

test('10,000 entries of 100 owners cost no more each than few do', () => {
  for (let warm = 0; warm < 3; warm += 1) costOf(10_000, 100);
  const least = (count: number) => Math.min(...Array.from({ length: 5 }, () => costOf(count, 100)));
  const [few, many] = [least(1000), least(50_000)];
  // A queue that moves or scans its entries would take about a hundred times as long.
  expect(many).toBeLessThan(10 * few + 20);
  expect(least(10_000)).toBeLessThan(10 * few + 20);
});
