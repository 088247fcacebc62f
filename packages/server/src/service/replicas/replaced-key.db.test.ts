import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Database } from '../../storage/database.js';
import { useTwoStorages } from '../../storage/fixtures/two-storages.js';
import { openInstallationKeys, readInstallationKeys } from '../../storage/secrets/installation-key.js';
import { putKeyCheck, readKeyState } from '../../storage/secrets/key-check.js';
import { withKeysHeld } from '../../storage/secrets/key-fence.js';
import { ringOf } from '../../storage/secrets/key-ring.js';
import { resealValues } from '../../storage/secrets/reseal.js';
import { sealContexts } from '../../storage/secrets/sealed-values.js';
import { createSecretBox } from '../../storage/secrets/secret-box.js';
import { aliveSince, sharedTiming } from './replica-rows.js';
import { openReplicas, type Replicas } from './replicas.js';

const storages = useTwoStorages();
const [old, next, third] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const textOf = (key: Uint8Array) => Buffer.from(key).toString('base64url');
/** Settings of a service: the key that seals, and those that it accepts. */
const having = (sealing: Buffer, ...accepted: readonly Buffer[]) => ({
  secretKey: textOf(sealing),
  secretKeyFile: '',
  acceptedSecretKeys: accepted.map(textOf).join(', '),
  databaseUrl: 'postgres://shared',
});
type KeySettings = ReturnType<typeof having>;
let now = 1_000_000;
const running: Replicas[] = [];
const stopped: unknown[] = [];

const depsOf = (settings: KeySettings) => ({
  database: storages()[0].database,
  folder: { installationKeyPath: '/nowhere/secret-key' },
  settings,
  aliveSince: aliveSince(now, settings),
});
async function start(settings: KeySettings): Promise<Replicas> {
  await openInstallationKeys(depsOf(settings));
  const replicas = await openReplicas({
    database: storages()[0].database,
    clock: () => now,
    logger: { info: () => undefined, warn: () => undefined },
    version: '1.2.3',
    roles: new Set(['http']),
    isAlone: false,
    timing: { ...sharedTiming, beatMs: 20 },
    host: 'some-host',
    keys: ringOf(Buffer.from(settings.secretKey, 'base64url'), settings),
    onKeysReplaced: (error) => stopped.push(error),
  });
  running.push(replicas);
  return replicas;
}
const stop = async (replicas: Replicas) => {
  running.splice(running.indexOf(replicas), 1);
  await replicas.component.stop();
};
async function restart(replicas: Replicas, settings: KeySettings): Promise<Replicas> {
  await stop(replicas);
  return start(settings);
}
const reseal = (settings: KeySettings, database: Database = storages()[0].database, batchSize = 100) =>
  resealValues({ ...depsOf(settings), database, batchSize });

let drops = 1000;
/** A drop whose password the service with these settings has sealed. */
async function seal(settings: KeySettings): Promise<void> {
  const keys = ringOf(Buffer.from(settings.secretKey, 'base64url'), settings);
  const { query, write } = withKeysHeld(storages()[0].database, keys);
  drops += 1;
  await write([
    query.insertInto('drop_box').values({
      account_id: 1,
      id: drops,
      uid: `uid ${drops}`,
      name: 'desk',
      user_name: `desk ${drops}`,
      key_id: drops,
      settings: '{}',
      destination: '{}',
      created_at: 1,
      deleted_at: null,
      sealed_secrets: createSecretBox(keys).seal('a password', sealContexts.dropSecrets(`uid ${drops}`)),
    }),
  ]);
}
async function countOpenedBy(key: Buffer): Promise<number> {
  const rows = await storages()[0].database.query.selectFrom('drop_box').selectAll().execute();
  return rows.filter(({ sealed_secrets: sealed, uid }) =>
    createSecretBox([key]).open(sealed ?? '', sealContexts.dropSecrets(uid)),
  ).length;
}

beforeEach(async () => {
  const { database } = storages()[0];
  const { query } = database;
  await database.write([
    query.deleteFrom('drop_box'),
    query.deleteFrom('account'),
    query
      .insertInto('account')
      .values({ id: 1, name: 'one', plan: 'paid', call_limit: null, result_days: 1, created_at: 1 }),
    putKeyCheck(database, old),
  ]);
  now += 100_000;
});
afterEach(async () => {
  for (const replicas of [...running]) await stop(replicas);
  stopped.length = 0;
});

test('the key is replaced while two services run, and what either seals on the way is opened by both', async () => {
  let [one, two] = [await start(having(old)), await start(having(old))];
  await seal(having(old));
  one = await restart(one, having(old, next));
  two = await restart(two, having(old, next));
  one = await restart(one, having(next, old));
  await seal(having(next, old));
  await seal(having(old, next));
  // One that was not restarted yet may be started again with its settings.
  two = await restart(two, having(old, next));
  await expect(reseal(having(next, old))).rejects.toThrow(/seal with another key still: \S+ on some-host/);
  two = await restart(two, having(next, old));
  expect([await countOpenedBy(old), await countOpenedBy(next)]).toEqual([2, 1]);
  await expect(start(having(next))).rejects.toThrow(/add the key before to LYNCEUS_ACCEPTED_SECRET_KEYS/);
  expect(await reseal(having(next, old))).toEqual({ resealed: 2, lost: 0 });
  expect(await reseal(having(next, old))).toEqual({ resealed: 0, lost: 0 });
  expect([await countOpenedBy(old), await countOpenedBy(next)]).toEqual([0, 3]);
  await restart(one, having(next));
  await restart(two, having(next));
  await expect(start(having(old))).rejects.toThrow(/is another than this database is used with/);
  await expect(start(having(third))).rejects.toMatchObject({ code: 'wrong-key' });
});

test('a new sealing key is refused while a service runs that does not accept it, with what to do', async () => {
  const one = await start(having(old));
  const refused = start(having(next, old));
  await expect(refused).rejects.toThrow(
    /cannot open what it seals: \S+ on some-host.*the new one in LYNCEUS_ACCEPTED_SECRET_KEYS/,
  );
  await expect(readInstallationKeys(depsOf(having(next, old)))).rejects.toThrow(/start a service with these/);
  expect(await readKeyState(storages()[0].database)).toMatchObject({ previous: null });
  // A dead one is waited for no longer than others wait for it.
  now += sharedTiming.deadAfterMs;
  await start(having(next, old));
  await expect(one.beat()).rejects.toMatchObject({ code: 'wrong-key' });
});

test('a service that was cut off meanwhile seals nothing with the key before, and ends', async () => {
  const frozen = await start(having(old, next));
  now += sharedTiming.deadAfterMs;
  await start(having(next, old));
  await seal(having(old, next));
  expect(await reseal(having(next, old))).toEqual({ resealed: 1, lost: 0 });
  await expect(seal(having(old, next))).rejects.toMatchObject({ code: 'wrong-key' });
  await expect(start(having(old, next))).rejects.toMatchObject({ code: 'wrong-key' });
  await frozen.component.start();
  await vi.waitUntil(() => stopped.length > 0, { timeout: 30_000 });
  expect(await countOpenedBy(next)).toBe(1);
});

test('a service that was cut off before it had the new key writes nothing over what the new one sealed', async () => {
  await start(having(old));
  now += sharedTiming.deadAfterMs;
  await start(having(next, old));
  await seal(having(next, old));
  // It opens no secret of this drop, and would take the drop to have none.
  const keys = ringOf(old, having(old));
  const { query } = storages()[0].database;
  const write = query.updateTable('drop_box').set({ sealed_secrets: null });
  await expect(withKeysHeld(storages()[0].database, keys).write([write])).rejects.toMatchObject({
    code: 'wrong-key',
  });
  await expect(seal(having(old))).rejects.toMatchObject({ code: 'wrong-key' });
  expect(await countOpenedBy(next)).toBe(1);
});

test('a key that is listed more than once is one key', async () => {
  expect(ringOf(old, having(old, next, old, next))).toEqual([old, next]);
  let one = await start(having(old, next, next, old));
  one = await restart(one, having(next, old, old, next));
  expect(await reseal(having(next, old, old))).toEqual({ resealed: 0, lost: 0 });
  await restart(one, having(next));
});

test('an accepted key that is not the one before is refused, with what to do', async () => {
  await expect(start(having(next, third))).rejects.toThrow(
    /To replace the key, give this service that one too/,
  );
  const one = await start(having(old, third));
  await expect(start(having(next, old))).rejects.toThrow(/cannot open what it seals/);
  await expect(reseal(having(next, third))).rejects.toThrow(/is another than this database is used with/);
  expect(await countOpenedBy(third)).toBe(0);
  await restart(one, having(old));
});

test('a re-sealing may end before or after any of its units, and another run does the rest', async () => {
  let one = await start(having(old, next));
  const { database } = storages()[0];
  // Back and forth: each round replaces the key that the one before left.
  let [from, to] = [old, next];
  for (let unit = 1; unit <= 4; unit += 1) {
    for (const isAnswered of [false, true]) {
      await database.write([database.query.deleteFrom('drop_box'), putKeyCheck(database, from)]);
      for (let index = 0; index < 3; index += 1) await seal(having(from, to));
      one = await restart(one, having(to, from));
      await seal(having(to, from));
      let units = 0;
      const cut: Database = {
        ...database,
        write: async (...written) => {
          units += 1;
          if (units === unit && !isAnswered) throw new Error('killed');
          const results = await database.write(...written);
          if (units === unit) throw new Error('killed');
          return results;
        },
      };
      await expect(reseal(having(to, from), cut, 2)).rejects.toThrow('killed');
      // Whatever was done by then, the services open all of it.
      expect((await countOpenedBy(from)) + (await countOpenedBy(to))).toBe(4);
      const { lost } = await reseal(having(to, from), database, 2);
      expect([lost, await countOpenedBy(to)]).toEqual([0, 4]);
      expect(await readKeyState(database)).toMatchObject({ previous: null, isResealing: false });
      await one.beat();
      [from, to] = [to, from];
      // The key that was retired begins again, as a new one would.
      await database.write([putKeyCheck(database, from)]);
      one = await restart(one, having(from, to));
    }
  }
});

test('a re-sealing that is cut short is run again, and until then the key before is needed', async () => {
  await start(having(old, next));
  for (let index = 0; index < 205; index += 1) await seal(having(old, next));
  for (const replicas of [...running]) await restart(replicas, having(next, old));
  const { database } = storages()[0];
  let units = 0;
  const cut: Database = {
    ...database,
    write: async (...unit) => {
      units += 1;
      if (units > 2) throw new Error('killed');
      return database.write(...unit);
    },
  };
  await expect(reseal(having(next, old), cut)).rejects.toThrow('killed');
  expect(await countOpenedBy(next)).toBe(100);
  await expect(start(having(next))).rejects.toThrow(/add the key before/);
  await expect(start(having(old, next))).rejects.toThrow(/is the one before/);
  await expect(start(having(third, next, old))).rejects.toThrow(/would begin another replacement/);
  expect(await reseal(having(next, old))).toEqual({ resealed: 105, lost: 0 });
  await start(having(next));
});

test('a replacement that is regretted goes back to the key before', async () => {
  let one = await start(having(old, next));
  one = await restart(one, having(next, old));
  await seal(having(next, old));
  one = await restart(one, having(old, next));
  expect(await reseal(having(old, next))).toEqual({ resealed: 1, lost: 0 });
  await restart(one, having(old));
  expect(await countOpenedBy(old)).toBe(1);
});
