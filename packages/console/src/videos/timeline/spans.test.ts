import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatTime, secondAt, toSpans } from './spans.js';

const interval = (start_seconds: number, end_seconds: number) => ({ start_seconds, end_seconds });

test('spans are fractions of the video', () => {
  expect(toSpans([interval(50, 75), interval(0, 10)], 100)).toEqual([
    { start: 0, width: 0.1, fromSeconds: 0, toSeconds: 10 },
    { start: 0.5, width: 0.25, fromSeconds: 50, toSeconds: 75 },
  ]);
});

test('intervals that touch, overlap or have an invisible gap are one span', () => {
  expect(toSpans([interval(0, 10), interval(10.1, 20), interval(15, 17)], 100)).toHaveLength(1);
  expect(toSpans([interval(0, 10), interval(11, 20)], 100)).toHaveLength(2);
});

test('a moment can be clicked, also at the end', () => {
  const [at] = toSpans([interval(100, 100)], 100);
  expect(at?.width).toBeGreaterThan(0);
  expect((at?.start ?? 0) + (at?.width ?? 0)).toBeLessThanOrEqual(1);
  expect(at?.fromSeconds).toBe(100);
});

test('any intervals are at most 250 spans in order, within the video, and none is lost', () => {
  const time = fc.double({ min: 0, max: 5000, noNaN: true });
  const intervals = fc.array(
    fc.tuple(time, time).map(([from, length]) => interval(from, from + length / 100)),
    { maxLength: 400 },
  );
  fc.assert(
    fc.property(intervals, fc.double({ min: 0.1, max: 4000, noNaN: true }), (given, duration) => {
      const spans = toSpans(given, duration);
      expect(spans.length).toBeLessThanOrEqual(251);
      for (const [index, { start, width, fromSeconds, toSeconds }] of spans.entries()) {
        expect(start).toBeGreaterThanOrEqual(0);
        expect(start + width).toBeLessThanOrEqual(1 + 1e-9);
        expect(fromSeconds).toBeLessThanOrEqual(toSeconds);
        expect(fromSeconds).toBeGreaterThanOrEqual(spans[index - 1]?.toSeconds ?? 0);
      }
      for (const { start_seconds } of given) {
        const at = Math.min(duration, start_seconds);
        expect(spans.some(({ fromSeconds, toSeconds }) => fromSeconds <= at && at <= toSeconds)).toBe(true);
      }
    }),
  );
});

test('a position in a lane is a second of the video', () => {
  expect([secondAt(0.25, 60), secondAt(-1, 60), secondAt(2, 60)]).toEqual([15, 0, 60]);
});

test('times are written as players write them', () => {
  expect([0, 7.9, 750, 3723].map(formatTime)).toEqual(['0:00', '0:07', '12:30', '1:02:03']);
});
