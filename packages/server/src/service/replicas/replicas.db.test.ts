import { afterEach, expect, test } from 'vitest';
import { roles as everyRole, type Role } from '../../core/roles.js';
import { useTwoStorages } from '../../storage/fixtures/two-storages.js';
import { LeadershipLost } from '../../storage/sweeps/leadership.js';
import { aloneTiming, deadKeptMs, listReplicas, sharedTiming } from './replica-rows.js';
import { openReplicas, type Replicas } from './replicas.js';

const storages = useTwoStorages();
const { deadAfterMs } = sharedTiming;
const logger = { info: () => undefined, warn: () => undefined };
let now = 1_000_000;
const opened: Replicas[] = [];
afterEach(async () => {
  for (const { component } of opened.splice(0)) await component.stop();
});

/** A service on the one or the other connection, which beats when it is asked to. */
async function open(connection: 0 | 1, { clock = () => now, roles = everyRole as readonly Role[] } = {}) {
  const replicas = await openReplicas({
    database: storages()[connection].database,
    clock,
    logger,
    version: '1.2.3',
    roles: new Set(roles),
    isAlone: false,
    timing: sharedTiming,
    host: `host-${connection}`,
  });
  opened.push(replicas);
  return replicas;
}
const list = () => listReplicas(storages()[0].database, now, sharedTiming);

/** Deletes one of these rows by the database of who leads; there are many. */
async function deleteOne(database: ReturnType<Replicas['lead']>) {
  if (database === null) throw new Error('it does not lead');
  const { query } = storages()[0].database;
  await database.write([query.deleteFrom('minimum_version')]);
}

test('each lists all with what they say of themselves, and a stopped one is gone at once', async () => {
  const one = await open(0);
  // They are listed in the order of their starts.
  now += 1;
  const two = await open(1, { roles: ['jobs'] as const });
  now += 999;
  await two.beat();
  expect(await one.list()).toEqual([
    {
      uid: one.uid,
      host: 'host-0',
      version: '1.2.3',
      roles: [...everyRole],
      startedAt: now - 1000,
      seenAt: now - 1000,
      isAlive: true,
      isLeader: true,
    },
    {
      uid: two.uid,
      host: 'host-1',
      version: '1.2.3',
      roles: ['jobs'],
      startedAt: now - 999,
      seenAt: now,
      isAlive: true,
      isLeader: false,
    },
  ]);
  await two.component.stop();
  expect((await list()).map(({ uid }) => uid)).toEqual([one.uid]);
});

test('one that says nothing counts as dead, and its row goes after a while', async () => {
  const one = await open(0);
  const silent = await open(1);
  await one.beat();
  expect(one.httpReplicas()).toBe(2);
  now += deadAfterMs;
  await one.beat();
  expect((await list()).find(({ uid }) => uid === silent.uid)?.isAlive).toBe(false);
  expect(one.httpReplicas()).toBe(1);
  now += deadKeptMs;
  await one.beat();
  expect((await list()).map(({ uid }) => uid)).toEqual([one.uid]);
});

test('only those that serve HTTP count as such, and one always does', async () => {
  const one = await open(0, { roles: ['jobs'] as const });
  const two = await open(1, { roles: ['http', 'ftp'] as const });
  for (const each of [one, two]) await each.beat();
  expect([one.httpReplicas(), two.httpReplicas()]).toEqual([1, 1]);
});

test('each knows whether another that is alive has a role', async () => {
  const one = await open(0);
  expect(await one.hasOther('training')).toBe(false);
  const two = await open(1, { roles: ['jobs', 'training'] });
  expect([await one.hasOther('training'), await one.hasOther('ftp')]).toEqual([true, false]);
  expect(await two.hasOther('ftp')).toBe(true);
  now += deadAfterMs;
  await one.beat();
  expect(await one.hasOther('training')).toBe(false);
});

test('one leads at a time, and another after it has stopped', async () => {
  const one = await open(0);
  const two = await open(1);
  let began = 0;
  two.onLead(() => {
    began += 1;
  });
  for (let round = 0; round < 5; round += 1) {
    now += deadAfterMs / 2;
    await Promise.all([one.beat(), two.beat()]);
    expect([one.lead() !== null, two.lead() !== null]).toEqual([true, false]);
  }
  await one.component.stop();
  await two.beat();
  expect([one.lead(), two.lead() !== null, began]).toEqual([null, true, 1]);
  await two.beat();
  expect(began).toBe(1);
});

test('of two that start at once one leads', async () => {
  const both = await Promise.all([open(0), open(1)]);
  expect(both.filter((each) => each.lead() !== null)).toHaveLength(1);
});

test('a dead leader is replaced when its lease is over, and not before', async () => {
  const one = await open(0);
  const two = await open(1);
  now += deadAfterMs - 1;
  await two.beat();
  expect(two.lead()).toBeNull();
  now += 1;
  expect(one.lead()).toBeNull();
  await two.beat();
  await deleteOne(two.lead());
});

test('a leader that wakes after its lease deletes nothing, and follows', async () => {
  // Its own clock stands still, as of a process that is stopped in the middle of a sweep.
  const held = now;
  const one = await open(0, { clock: () => held });
  const two = await open(1);
  const { database } = storages()[0];
  await database.write([
    database.query.deleteFrom('minimum_version'),
    database.query.insertInto('minimum_version').values({ only: 1, version: '0.0.1' }),
  ]);
  const before = one.lead();
  now += deadAfterMs + 1;
  await two.beat();
  expect(two.lead()).not.toBeNull();
  expect(one.lead()).not.toBeNull();
  await expect(deleteOne(before)).rejects.toThrow(LeadershipLost);
  await expect(deleteOne(one.lead())).rejects.toThrow(LeadershipLost);
  expect(await database.query.selectFrom('minimum_version').selectAll().execute()).toHaveLength(1);
  await one.beat();
  expect(one.lead()).toBeNull();
  await deleteOne(two.lead());
  expect(await database.query.selectFrom('minimum_version').selectAll().execute()).toEqual([]);
});

test('a failure of the unit itself stays what it is', async () => {
  const one = await open(0);
  const { query } = storages()[0].database;
  const unit = one
    .lead()
    ?.write([query.insertInto('minimum_version').values({ only: 1, version: null as never })]);
  await expect(unit).rejects.toMatchObject({ code: 'not-null' });
});

test('a service that is alone on its database leads at once, whoever led before', async () => {
  await open(0);
  const alone = await openReplicas({
    database: storages()[1].database,
    clock: () => now,
    logger,
    version: '1.2.3',
    roles: new Set(everyRole),
    isAlone: true,
    timing: aloneTiming,
  });
  opened.push(alone);
  expect(alone.lead()).not.toBeNull();
});

test('one without the role jobs never leads, and is degraded while no other has it', async () => {
  const one = await open(0, { roles: ['http', 'ftp', 'training'] as const });
  expect(one.lead()).toBeNull();
  const nobody = { degraded: expect.stringMatching(/no replica alive has the role jobs.*LYNCEUS_ROLES/) };
  expect(one.component.isReady()).toEqual(nobody);
  const two = await open(1, { roles: ['jobs'] as const });
  expect([two.lead(), two.component.isReady()]).toEqual([expect.anything(), true]);
  await one.beat();
  expect(one.component.isReady()).toBe(true);
  await two.component.stop();
  await one.beat();
  expect([one.lead(), one.component.isReady()]).toEqual([null, nobody]);
});
