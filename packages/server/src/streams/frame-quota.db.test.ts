import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStreamDatabase, type StreamDatabase } from './fixtures/stream-database.js';
import { createFrameQuota } from './frame-quota.js';

let stored: StreamDatabase;
let now = Date.UTC(2026, 0, 31, 23, 59);
beforeAll(async () => {
  stored = await openStreamDatabase();
});
afterAll(() => stored.close());

const open = (maxPerDay: number) =>
  createFrameQuota({ database: stored.database, clock: () => now, maxPerDay });
const nextDay = () => {
  now += 86_400_000;
};

test('frames are counted, and none refused without a limit', async () => {
  const quota = open(0);
  expect(await quota.reserve(stored.accountId, 100)).toBe(100);
  expect(await quota.reserve(stored.accountId, 50)).toBe(50);
  expect(await quota.read(stored.accountId)).toEqual({ today: 150, limitPerDay: 0 });
});

test('a day has as many as the limit says, and the next day as many again', async () => {
  nextDay();
  const quota = open(120);
  expect(await quota.reserve(stored.accountId, 100)).toBe(100);
  expect(await quota.reserve(stored.accountId, 100)).toBe(20);
  expect(await quota.reserve(stored.accountId, 100)).toBe(0);
  expect(await quota.read(stored.accountId)).toEqual({ today: 120, limitPerDay: 120 });
  // A smaller limit takes nothing back.
  expect(await open(50).reserve(stored.accountId, 1)).toBe(0);
  expect((await quota.read(stored.accountId)).today).toBe(120);
  nextDay();
  expect((await quota.read(stored.accountId)).today).toBe(0);
  expect(await quota.reserve(stored.accountId, 100)).toBe(100);
});

test('frames that were not analysed are given back', async () => {
  nextDay();
  const quota = open(10);
  await quota.reserve(stored.accountId, 10);
  await quota.giveBack(stored.accountId, 4);
  expect(await quota.reserve(stored.accountId, 10)).toBe(4);
  await quota.giveBack(stored.accountId, 1000);
  expect((await quota.read(stored.accountId)).today).toBe(0);
});

test('of many that reserve at once, all together get no frame more and none less', async () => {
  nextDay();
  const replicas = [open(1000), open(1000), open(1000)];
  const got = await Promise.all(
    Array.from({ length: 60 }, (_, at) => replicas[at % 3]?.reserve(stored.accountId, 17 + (at % 5))),
  );
  expect(got.reduce<number>((sum, each) => sum + (each ?? 0), 0)).toBe(1000);
  expect((await open(1000).read(stored.accountId)).today).toBe(1000);
});

test('accounts are counted apart', async () => {
  nextDay();
  await open(10).reserve(stored.accountId, 10);
  expect((await open(10).read(stored.accountId + 1)).today).toBe(0);
});
