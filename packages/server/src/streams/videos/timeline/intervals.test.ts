import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKeyedIntervals, uniteIntervals } from './intervals.js';
import type { Interval } from './timeline.js';

const interval = fc
  .tuple(fc.nat(1000), fc.nat(50))
  .map(([start, length]): Interval => ({ startSeconds: start / 10, endSeconds: (start + length) / 10 }));
const covers = (intervals: readonly Interval[], seconds: number) =>
  intervals.some(({ startSeconds, endSeconds }) => startSeconds <= seconds && seconds <= endSeconds);

test('united intervals are in order, further apart than the gap, and cover what they are made of', () => {
  fc.assert(
    fc.property(
      fc.array(interval, { maxLength: 30 }),
      fc.constantFrom(0, 0.5, 3),
      (intervals, gapSeconds) => {
        const united = uniteIntervals(intervals, gapSeconds);
        for (const [index, next] of united.entries()) {
          const before = united[index - 1];
          if (before) expect(next.startSeconds).toBeGreaterThan(before.endSeconds + gapSeconds);
        }
        for (const { startSeconds, endSeconds } of intervals) {
          expect(covers(united, startSeconds)).toBe(true);
          expect(covers(united, endSeconds)).toBe(true);
        }
        const length = (list: readonly Interval[]) =>
          list.reduce((sum, each) => sum + each.endSeconds - each.startSeconds, 0);
        expect(length(united)).toBeLessThanOrEqual(length(intervals) + gapSeconds * intervals.length + 1e-9);
      },
    ),
  );
});

test('keys and intervals beyond the limits are left out, and that is said', () => {
  const kept = createKeyedIntervals<string>({ gapSeconds: 0, maxKeys: 2, maxIntervals: 3 });
  for (const key of ['b', 'a']) kept.add(key, { startSeconds: key === 'a' ? 1 : 2, endSeconds: 3 });
  expect(kept.isCut).toBe(false);
  expect(kept.list().map(([key]) => key)).toEqual(['a', 'b']);
  kept.add('c', { startSeconds: 0, endSeconds: 1 });
  expect(kept.isCut).toBe(true);
  for (let at = 10; at < 30; at += 2) kept.add('a', { startSeconds: at, endSeconds: at + 1 });
  const [[, ofA = []] = []] = kept.list();
  expect(ofA).toHaveLength(3);
  expect(ofA[0]).toEqual({ startSeconds: 1, endSeconds: 3 });
});
