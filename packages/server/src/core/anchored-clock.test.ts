import { afterEach, expect, test, vi } from 'vitest';
import { createAnchoredClock } from './anchored-clock.js';

afterEach(() => {
  vi.useRealTimers();
});

test('a clock without an anchor is the wall clock', () => {
  expect(Math.abs(createAnchoredClock().clock() - Date.now())).toBeLessThan(100);
});

test('an anchored clock shows the time of the other machine, and runs on', () => {
  const { clock, anchor } = createAnchoredClock();
  const nowMs = performance.now();
  anchor(1_000_000, nowMs - 10, nowMs + 10);
  const shown = clock();
  expect(shown).toBeGreaterThanOrEqual(1_000_000);
  expect(shown).toBeLessThan(1_000_500);
  expect(Number.isInteger(shown)).toBe(true);
});

test('a step of the wall clock does not move an anchored clock', () => {
  const { clock, anchor } = createAnchoredClock();
  const nowMs = performance.now();
  anchor(Date.now(), nowMs, nowMs);
  const before = clock();
  vi.useFakeTimers({ now: Date.now() + 20 * 60_000, toFake: ['Date'] });
  expect(Date.now() - before).toBeGreaterThan(19 * 60_000);
  expect(clock() - before).toBeLessThan(1000);
});
