import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { dataFolder } from '../data-folder.js';
import type { Database } from '../database.js';
import { createTestDatabase } from '../fixtures/test-database.js';
import { openServiceStorage } from '../open-storage.js';
import { createLeaseOwner } from './lease-owner.js';
import { createRowLeases } from './row-leases.js';
import { createSharedLock } from './shared-lock.js';
import { takeSoon } from './take-soon.js';

const folderUid = '00000000-0000-4000-8000-00000000000a';
let database: Database;
let close: () => Promise<void>;
let name: string;
beforeAll(async () => {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-leases-'));
  const testDatabase = await createTestDatabase(dir);
  const storage = await openServiceStorage(dataFolder(dir), testDatabase);
  database = storage.database;
  close = async () => {
    await storage.close();
    await testDatabase.drop();
    await rm(dir, { recursive: true, force: true });
  };
});
afterAll(() => close());
beforeEach(() => {
  name = randomUUID();
});

/** What one process has of leases; `cutOff`: it cannot write any more. */
function openProcess(leaseMs = 30_000, folder = '') {
  const state = { isCutOff: false, writes: 0 };
  const own: Database = {
    ...database,
    async write(...unit) {
      state.writes += 1;
      if (state.isCutOff) throw new Error('cut off');
      return database.write(...unit);
    },
  };
  return { state, rows: createRowLeases({ database: own, owner: createLeaseOwner(folder), leaseMs }) };
}

/** A write of the work: a row of its own, and the fence. */
const writeRow = (id: string, fence: Parameters<Database['write']>[0]) =>
  database.write([
    database.query.insertInto('lease').values({ name: id, owner: 'a test', epoch: 1, leased_until: 0 }),
    ...fence,
  ]);
const isThere = async (id: string) =>
  (await database.query.selectFrom('lease').select('name').where('name', '=', id).executeTakeFirst()) !==
  undefined;

test('of a hundred that ask at once one gets it, and the next once it is given back', async () => {
  const processes = Array.from({ length: 10 }, () => openProcess());
  const taken = await Promise.all(
    Array.from({ length: 100 }, (_, index) => processes[index % 10]?.rows.take(name)),
  );
  const [lease, ...others] = taken.filter((each) => each !== null);
  expect(others).toEqual([]);
  await lease?.release();
  const next = await processes[1]?.rows.take(name);
  expect(await next?.isHeld()).toBe(true);
  await next?.release();
});

test('one that its process has is refused without a write, and taken as soon as it is given back', async () => {
  const { rows, state } = openProcess();
  const { signal } = new AbortController();
  const lease = await rows.take(name);
  expect(state.writes).toBe(1);
  expect(await takeSoon(rows, name, signal)).toBeNull();
  expect(state.writes).toBe(1);
  const next = takeSoon(rows, name, signal);
  await lease?.release();
  expect(await (await next)?.isHeld()).toBe(true);
  await (await next)?.release();
});

test('who waits for one gives up with its request', async () => {
  const { rows } = openProcess();
  const lease = await rows.take(name);
  const request = new AbortController();
  const next = takeSoon(rows, name, request.signal);
  request.abort(new Error('the client is gone'));
  await expect(next).rejects.toThrow('the client is gone');
  await lease?.release();
});

test('a living process keeps it beyond its first time, a dead one does not', async () => {
  const [living, other] = [openProcess(2000), openProcess(2000)];
  const lease = await living.rows.take(name);
  await sleep(4500);
  expect(await other.rows.take(name)).toBeNull();
  living.state.isCutOff = true;
  await vi.waitUntil(() => lease?.signal.aborted, { timeout: 30_000 });
  const next = await vi.waitUntil(() => other.rows.take(name), { timeout: 30_000 });
  await next?.release();
});

test('what a process writes that lost its lease is undone, also after the next has given it back', async () => {
  const [first, second] = [openProcess(2000), openProcess()];
  const lost = await first.rows.take(name);
  first.state.isCutOff = true;
  const held = await vi.waitUntil(() => second.rows.take(name), { timeout: 30_000 });
  const [late, own, last] = [randomUUID(), randomUUID(), randomUUID()];
  await expect(writeRow(late, lost?.fence ?? [])).rejects.toMatchObject({ code: 'not-null' });
  expect(await isThere(late)).toBe(false);
  await writeRow(own, held?.fence ?? []);
  expect(await isThere(own)).toBe(true);
  await held?.release();
  first.state.isCutOff = false;
  const again = await first.rows.take(name);
  await expect(writeRow(last, lost?.fence ?? [])).rejects.toMatchObject({ code: 'not-null' });
  expect(await again?.isHeld()).toBe(true);
  // What it releases late is another's by now.
  await lost?.release();
  expect(await again?.isHeld()).toBe(true);
  await again?.release();
});

test('the next service of a data folder ends those of the one before at once, and no others', async () => {
  const former = openProcess(3_600_000, folderUid);
  const foreign = openProcess(3_600_000, '00000000-0000-4000-8000-00000000000b');
  const command = openProcess(3_600_000);
  await former.rows.take(name);
  const others = [await foreign.rows.take(`${name} foreign`), await command.rows.take(`${name} command`)];
  const next = openProcess(3_600_000, folderUid);
  expect(await next.rows.take(name)).toBeNull();
  await next.rows.endFormer();
  const lease = await next.rows.take(name);
  expect(await lease?.isHeld()).toBe(true);
  for (const other of others) expect(await other?.isHeld()).toBe(true);
  for (const each of [lease, ...others]) await each?.release();
});

test('work under one key happens one at a time in all processes', async () => {
  const locks = [openProcess(), openProcess(), openProcess()].map(({ rows }) => createSharedLock(rows));
  let [now, most, done] = [0, 0, 0];
  await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      locks[index % 3]?.(name, async () => {
        now += 1;
        most = Math.max(most, now);
        await sleep(2);
        now -= 1;
        done += 1;
      }),
    ),
  );
  expect({ most, done }).toEqual({ most: 1, done: 30 });
  await expect(locks[0]?.(name, () => Promise.reject(new Error('no good')))).rejects.toThrow('no good');
  expect(await locks[1]?.(name, async () => 'free')).toBe('free');
});

test('one that cannot be given back is given back once the database is there again', async () => {
  const [one, other] = [openProcess(), openProcess()];
  const lease = await one.rows.take(name);
  one.state.isCutOff = true;
  await lease?.release();
  expect(await other.rows.take(name)).toBeNull();
  one.state.isCutOff = false;
  const next = await vi.waitUntil(() => other.rows.take(name), { timeout: 10_000, interval: 200 });
  await next.release();
});
