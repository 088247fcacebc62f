import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Database } from '../../storage/database.js';
import { createLeaseOwner, type LeaseOwner } from '../../storage/leases/lease-owner.js';
import { type JobTrial, openJobTrial } from './fixtures/job-trial.js';
import type { JobControl, JobKind } from './job.js';
import { createJobs } from './jobs.js';
import { createJobsComponent } from './jobs-component.js';
import { createLeases } from './leases.js';

const here = '00000000-0000-4000-8000-00000000000a';
const elsewhere = '00000000-0000-4000-8000-00000000000b';

let trial: JobTrial;
beforeAll(async () => {
  trial = await openJobTrial();
  const row = { generation: 1, joined_at: 1, started_at: 1, seen_at: 1 };
  const { database } = trial;
  await database.write([
    database.query.insertInto('data_folder').values([
      { ...row, uid: here, label: 'host:/here' },
      { ...row, uid: elsewhere, label: 'host:/elsewhere' },
    ]),
  ]);
});
afterAll(() => trial.close());

function leasesOf(owner: LeaseOwner, { leaseMs = 30_000, database = trial.database, folderUid = '' } = {}) {
  return createLeases({ database, clock: Date.now, owner, leaseMs, folderUid: folderUid || null });
}
const leases = (more: Parameters<typeof leasesOf>[1] = {}) => leasesOf(createLeaseOwner(''), more);

/** A write of a job: a row of its own in the unit that the fence ends. */
async function write(fence: JobControl['fence']): Promise<boolean> {
  const { database } = trial;
  const name = randomUUID();
  const row = { name, owner: 'a job', epoch: 1, leased_until: 0 };
  await database.write([database.query.insertInto('lease').values(row), ...fence]).catch(() => undefined);
  const found = await database.query.selectFrom('lease').select('name').where('name', '=', name).execute();
  return found.length === 1;
}

test('a job keeps its lease where its progress is no whole number', async () => {
  const kind = randomUUID();
  const id = await trial.insert(kind);
  const owner = leases();
  const taken = await owner.take(kind);
  if (taken === null) throw new Error('not taken');
  const progress = { stage: 'training', done: 0.25, total: 10.5, secondsLeft: 1.5 };
  expect(await owner.renew(taken.lease, progress, false)).toBe(true);
  const { progress: written } = await trial.jobs.read(trial.accountId, id);
  expect(written).toEqual({ stage: 'training', done: 0, total: 11, secondsLeft: 2 });
});

describe('a job that another service has taken', () => {
  test('writes nothing more, is not renewed, and ends by the hand of the other alone', async () => {
    const kind = randomUUID();
    const id = await trial.insert(kind);
    const [first, second] = [leases({ leaseMs: 1 }), leases()];
    const lost = await first.take(kind);
    if (lost === null) throw new Error('not taken');
    expect(await write(first.fence(lost.lease))).toBe(true);
    const held = await vi.waitUntil(() => second.take(kind));
    expect(await write(first.fence(lost.lease))).toBe(false);
    expect(await first.isHeld(lost.lease)).toBe(false);
    expect(await first.renew(lost.lease, lost.job.progress, true)).toBe(false);
    await first.end(lost.lease, { state: 'done', result: 'of the first' });
    await first.end(lost.lease, { state: 'forgotten' });
    expect(await trial.jobs.read(trial.accountId, id)).toMatchObject({ state: 'running', result: null });
    expect(await write(second.fence(held.lease))).toBe(true);
    await second.end(held.lease, { state: 'done', result: 'of the second' });
    expect(await trial.jobs.read(trial.accountId, id)).toMatchObject({
      state: 'done',
      result: 'of the second',
    });
    // Behind the end nothing is written either.
    expect(await write(second.fence(held.lease))).toBe(false);
  });

  test('is distinguished from the same job taken again by the same service', async () => {
    const kind = randomUUID();
    await trial.insert(kind);
    const own = leases({ leaseMs: 1 });
    const before = await own.take(kind);
    const now = await vi.waitUntil(() => own.take(kind));
    if (before === null) throw new Error('not taken');
    expect(await write(own.fence(before.lease))).toBe(false);
    expect(await write(own.fence(now.lease))).toBe(true);
  });

  test('and one that was deleted, write nothing', async () => {
    const kind = randomUUID();
    const id = await trial.insert(kind);
    const own = leases();
    const taken = await own.take(kind);
    const { query, write: writeUnit } = trial.database;
    await writeUnit([query.deleteFrom('job').where('id', '=', id)]);
    if (taken === null) throw new Error('not taken');
    expect(await write(own.fence(taken.lease))).toBe(false);
  });
});

test('a service that is cut off gives its job up in time, and is not the one that finishes it', async () => {
  let isCutOff = false;
  const leaseMs = 3000;
  const database: Database = {
    ...trial.database,
    async write(...unit) {
      if (isCutOff) throw new Error('cut off');
      return trial.database.write(...unit);
    },
  };
  const kind = randomUUID();
  const wrote: [service: string, isWritten: boolean][] = [];
  const begun: string[] = [];
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let [givenUpMs, endedOfFirst] = [0, false];
  const kindOf = (service: string, wait: (signal: AbortSignal) => Promise<void>): JobKind => ({
    kind,
    maxAttempts: 3,
    concurrency: 1,
    async run(_job, { signal, fence }) {
      begun.push(service);
      await wait(signal);
      wrote.push([service, await write(fence)]);
      if (service === 'first') endedOfFirst = true;
      return service;
    },
  });
  const start = async (on: Database, of: JobKind) => {
    const component = createJobsComponent({
      leases: leases({ leaseMs, database: on }),
      kinds: [of],
      isAlone: false,
      clock: Date.now,
      onFailure: () => undefined,
      intervalMs: 20,
      renewMs: leaseMs / 3,
    });
    await component.start();
    return component;
  };
  const first = await start(
    database,
    kindOf('first', async (signal) => {
      signal.addEventListener('abort', () => {
        givenUpMs = performance.now();
      });
      await held;
    }),
  );
  const id = await trial.insert(kind);
  first.wake();
  await vi.waitUntil(() => begun.length === 1, { timeout: 30_000 });
  const second = await start(
    trial.database,
    kindOf('second', async () => undefined),
  );
  // The other is alive, and keeps it.
  await new Promise((resolve) => setTimeout(resolve, 2 * leaseMs));
  expect(begun).toEqual(['first']);
  isCutOff = true;
  await trial.until(id, ({ endedAt }) => endedAt !== null);
  expect(givenUpMs).toBeGreaterThan(0);
  isCutOff = false;
  letGo();
  await vi.waitUntil(() => endedOfFirst, { timeout: 30_000 });
  await first.drain?.(AbortSignal.timeout(5000));
  await second.drain?.(AbortSignal.timeout(5000));
  expect(wrote).toEqual([
    ['second', true],
    ['first', false],
  ]);
  expect(await trial.jobs.read(trial.accountId, id)).toMatchObject({ state: 'done', result: 'second' });
});

describe('a job whose files are in the data folder of another service', () => {
  const insertFor = async (kind: string, folderUid: string | null) => {
    const jobs = createJobs({ database: trial.database, clock: Date.now, folderUid });
    const { id, statement } = jobs.insert(trial.accountId, { kind, subject: randomUUID(), payload: null });
    await trial.database.write([statement]);
    return id;
  };

  test('waits for that service, and is taken by it', async () => {
    const kind = randomUUID();
    const id = await insertFor(kind, elsewhere);
    expect(await leases({ folderUid: here }).take(kind)).toBeNull();
    const free = await insertFor(kind, null);
    expect((await leases({ folderUid: here }).take(kind))?.job.id).toBe(free);
    expect((await leases({ folderUid: elsewhere }).take(kind))?.job.id).toBe(id);
  });

  test('is taken by any once that folder is retired', async () => {
    const kind = randomUUID();
    const id = await insertFor(kind, elsewhere);
    const { query, write: writeUnit } = trial.database;
    const retire = (retired_at: number | null) =>
      writeUnit([query.updateTable('data_folder').set({ retired_at }).where('uid', '=', elsewhere)]);
    await retire(1);
    expect((await leases({ folderUid: here }).take(kind))?.job.id).toBe(id);
    await retire(null);
  });
});

test('the next service of a data folder takes the jobs of the one before at once, and those of no other', async () => {
  const kind = randomUUID();
  const [own, foreign] = [await trial.insert(kind), await trial.insert(kind)];
  const take = (owner: LeaseOwner) => leasesOf(owner, { leaseMs: 3_600_000 }).take(kind);
  expect((await take(createLeaseOwner(here)))?.job.id).toBe(own);
  expect((await take(createLeaseOwner(elsewhere)))?.job.id).toBe(foreign);
  const next = createLeaseOwner(here);
  expect(await take(next)).toBeNull();
  await leasesOf(next).endFormer();
  expect((await take(next))?.job.id).toBe(own);
  expect(await take(next)).toBeNull();
});
