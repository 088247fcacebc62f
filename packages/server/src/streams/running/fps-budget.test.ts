import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFpsBudget, type FpsShare } from './fps-budget.js';

/** Frames that a stream gets in some seconds when they come at its rate, each a little early or late. */
function framesOf(
  share: FpsShare,
  fps: number,
  seconds: number,
  jitter: (frame: number) => number = () => 0,
) {
  const frames = Array.from({ length: fps * seconds }, (_, frame) => (frame + jitter(frame)) * (1000 / fps));
  return frames.filter((atMs) => share.take(atMs)).length;
}

test('a stream gets all that it wants where there is room', () => {
  const budget = createFpsBudget({ maxFps: 60 });
  expect(framesOf(budget.join(5), 5, 20, (frame) => (frame % 2 ? 0.2 : 0))).toBe(100);
});

test('where there is less, each gets the same share of what it wants', () => {
  const budget = createFpsBudget({ maxFps: 6 });
  const [slow, quick] = [budget.join(2), budget.join(10)];
  expect(budget.share).toBe(0.5);
  expect(framesOf(slow, 2, 100)).toBeCloseTo(100, -1);
  expect(framesOf(quick, 10, 100)).toBeCloseTo(500, -1);
  slow.leave();
  expect(budget.share).toBeCloseTo(0.6);
});

test('load takes from all at once, once a second, and they get it back bit by bit', () => {
  const budget = createFpsBudget({ maxFps: 60 });
  const share = budget.join(5);
  const look = (isWaiting: boolean, times: number) => {
    for (let count = 0; count < times; count++) budget.look({ isWaiting });
  };
  look(true, 4);
  expect(budget.share).toBeCloseTo(0.7);
  look(true, 12);
  expect(budget.share).toBeLessThan(0.25);
  look(false, 10);
  expect(budget.share).toBeLessThan(0.5);
  look(false, 50);
  expect(budget.share).toBe(1);
  // A frame that waited longer than the next one takes to come.
  share.waited(201);
  look(false, 1);
  expect(budget.share).toBeCloseTo(0.7);
  share.waited(199);
  look(false, 1);
  expect(budget.share).toBeGreaterThan(0.7);
});

test('where cores are few streams keep a part', () => {
  const budget = createFpsBudget({ maxFps: 60 });
  for (let count = 0; count < 1000; count++) budget.look({ isWaiting: false, isSlow: true });
  expect(budget.share).toBeGreaterThan(0.13);
  expect(budget.share).toBeLessThan(0.3);
});

test('no stream is left without any frame', () => {
  const budget = createFpsBudget({ maxFps: 60 });
  const share = budget.join(5);
  for (let look = 0; look < 1000; look++) budget.look({ isWaiting: true });
  expect(framesOf(share, 5, 100)).toBeGreaterThanOrEqual(8);
});

test('streams never get more than all may have together', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 15 }), { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 60 }),
      fc.array(fc.double({ min: 0, max: 0.4, noNaN: true }), { minLength: 1, maxLength: 50 }),
      (wanted, maxFps, jitters) => {
        const budget = createFpsBudget({ maxFps });
        const shares = wanted.map((fps) => ({ fps, share: budget.join(fps) }));
        const seconds = 60;
        const jitter = (frame: number) => jitters[frame % jitters.length] ?? 0;
        const frames = shares.reduce((sum, { fps, share }) => sum + framesOf(share, fps, seconds, jitter), 0);
        expect(frames).toBeLessThanOrEqual(maxFps * seconds + 2 * wanted.length);
      },
    ),
  );
});
