import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Database } from '../../storage/database.js';
import { openStreamDatabase, type StreamDatabase } from '../fixtures/stream-database.js';
import { holdStream, type StreamHold, streamLeaseName } from './hold-stream.js';

let streams: StreamDatabase;
let lastStream = 1000;
beforeAll(async () => {
  streams = await openStreamDatabase();
});
afterAll(() => streams.close());

const leaseMs = 900;

/** What one process has of the database; it can be cut off from it. */
function openProcess() {
  const state = { isAway: false };
  const { database } = streams;
  const own: Database = {
    ...database,
    async write(...unit) {
      if (state.isAway) throw new Error('cut off');
      return database.write(...unit);
    },
  };
  const leases = streams.openLeases(own, leaseMs);
  return { state, hold: (name: string) => holdStream({ database, leases }, name) };
}

const nextName = () => streamLeaseName(streams.accountId, lastStream++);
const isFenceGood = (hold: StreamHold | null) =>
  streams.database.write(hold?.fence() ?? []).then(
    () => true,
    () => false,
  );

test('one process holds a stream at a time', async () => {
  const [one, other] = [openProcess(), openProcess()];
  const name = nextName();
  const hold = await one.hold(name);
  expect(await other.hold(name)).toBeNull();
  await hold?.release();
  const next = await other.hold(name);
  expect([await isFenceGood(hold), await isFenceGood(next)]).toEqual([false, true]);
  await next?.release();
});

test('a database that is away for longer than the lease costs nothing where nobody else takes the stream', async () => {
  const one = openProcess();
  const name = nextName();
  const hold = await one.hold(name);
  one.state.isAway = true;
  // The lease as it was is over: its fence lets nothing pass once it is taken anew.
  const before = hold?.fence();
  await new Promise((resolve) => setTimeout(resolve, 2 * leaseMs));
  one.state.isAway = false;
  await vi.waitUntil(() => hold?.fence() !== before, { timeout: 60_000 });
  expect(hold?.lost.aborted).toBe(false);
  expect([await hold?.isHeld(), await isFenceGood(hold)]).toEqual([true, true]);
  await hold?.release();
});

test('a stream that another takes meanwhile is lost', async () => {
  const [one, other] = [openProcess(), openProcess()];
  const name = nextName();
  const hold = await one.hold(name);
  one.state.isAway = true;
  const next = await vi.waitUntil(() => other.hold(name), { timeout: 60_000, interval: 100 });
  await vi.waitUntil(() => hold?.lost.aborted, { timeout: 60_000 });
  one.state.isAway = false;
  expect([await isFenceGood(hold), await isFenceGood(next)]).toEqual([false, true]);
  await hold?.release();
  expect(await next.isHeld()).toBe(true);
  await next.release();
});
