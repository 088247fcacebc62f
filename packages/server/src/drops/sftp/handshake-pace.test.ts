import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createHandshakePace } from './handshake-pace.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const limits = { handshakesPerSecond: 5, handshakeBurst: 10, handshakesPerSecondOfAll: 20 };
const never = new AbortController().signal;

/** Begins as many at once as it is told; answers how many have begun so far. */
function beginMany(pace: ReturnType<typeof createHandshakePace>, address: string, count: number) {
  const counts = { begun: 0 };
  for (let index = 0; index < count; index++) void pace.begin(address, never).then(() => counts.begun++);
  return counts;
}

test('an address has its burst, then so many a second', async () => {
  const counts = beginMany(createHandshakePace(limits), '192.0.2.1', 100);
  await vi.advanceTimersByTimeAsync(1000);
  expect(counts.begun).toBeGreaterThanOrEqual(13);
  expect(counts.begun).toBeLessThanOrEqual(16);
  await vi.advanceTimersByTimeAsync(4000);
  expect(counts.begun).toBeGreaterThanOrEqual(33);
  expect(counts.begun).toBeLessThanOrEqual(36);
});

test('addresses take turns, and all together have their limit', async () => {
  const pace = createHandshakePace(limits);
  const many = Array.from({ length: 50 }, (_, index) => beginMany(pace, `192.0.2.${index + 1}`, 20));
  // The burst of all goes to whoever comes first.
  await vi.advanceTimersByTimeAsync(1000);
  const before = many.map(({ begun }) => begun);
  await vi.advanceTimersByTimeAsync(10_000);
  const gained = many.map(({ begun }, index) => begun - (before[index] ?? 0));
  const total = gained.reduce((sum, count) => sum + count, 0);
  expect(total).toBeGreaterThanOrEqual(170);
  expect(total).toBeLessThanOrEqual(201);
  expect(Math.max(...gained) - Math.min(...gained)).toBeLessThan(3);
});

test('the addresses of one IPv6 network are one, and who leaves takes no turn', async () => {
  const pace = createHandshakePace({ ...limits, handshakeBurst: 1 });
  const counts = ['2001:db8::1', '2001:db8::2', '2001:db8::3'].map((address) => beginMany(pace, address, 1));
  await vi.advanceTimersByTimeAsync(50);
  expect(counts.map(({ begun }) => begun)).toEqual([1, 0, 0]);
  const gone = new AbortController();
  const left = pace.begin('2001:db9::1', gone.signal).then(() => pace.begin('2001:db9::1', gone.signal));
  gone.abort();
  await left;
  await vi.advanceTimersByTimeAsync(1000);
  expect(counts.map(({ begun }) => begun)).toEqual([1, 1, 1]);
});
