import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Priority } from './job.js';
import { JobQueue } from './job-queue.js';

const rank: Readonly<Record<Priority, number>> = { interactive: 0, batch: 1, background: 2 };
const priority = fc.constantFrom<Priority>('interactive', 'batch', 'background');

test('higher classes come first, and within one the first come', () => {
  fc.assert(
    fc.property(fc.array(priority, { maxLength: 40 }), (priorities) => {
      const queue = new JobQueue<number>(100);
      for (const [index, each] of priorities.entries()) queue.add(index, each);
      const expected = priorities
        .map((each, index) => ({ index, rank: rank[each] }))
        .sort((a, b) => a.rank - b.rank || a.index - b.index)
        .map(({ index }) => index);
      expect(queue.takeAll()).toEqual(expected);
      expect(queue.length).toBe(0);
    }),
  );
});

test('it never holds more than its bound, and nothing vanishes untold', () => {
  fc.assert(
    fc.property(
      fc.array(priority, { maxLength: 60 }),
      fc.integer({ min: 1, max: 8 }),
      (priorities, bound) => {
        const queue = new JobQueue<number>(bound);
        let refused = 0;
        priorities.forEach((each, index) => {
          const { accepted, displaced } = queue.add(index, each);
          if (!accepted) refused += 1;
          if (displaced !== undefined) {
            refused += 1;
            expect(rank[priorities[displaced] ?? 'interactive']).toBeGreaterThan(rank[each]);
          }
          expect(queue.length).toBeLessThanOrEqual(bound);
        });
        expect(queue.length + refused).toBe(priorities.length);
      },
    ),
  );
});
