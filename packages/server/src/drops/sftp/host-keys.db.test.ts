import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { useTwoStorages } from '../../storage/fixtures/two-storages.js';
import { createProcessLeases } from '../../storage/leases/process-leases.js';
import { putKeyCheck } from '../../storage/secrets/key-check.js';
import { resealValues } from '../../storage/secrets/reseal.js';
import { createSharedHostKeys, ensureOwnHostKeys, hostKeysPath } from './host-keys.js';

const storages = useTwoStorages();
const [old, next] = [randomBytes(32), randomBytes(32)];
let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-host-keys-'));
  const { database } = storages()[0];
  await database.write([database.query.deleteFrom('sftp_host_key'), putKeyCheck(database, old)]);
  return () => rm(dir, { recursive: true });
});

const ignore = (): void => undefined;

/** One service, on a connection and a data folder of its own. */
function serviceOn(connection: 0 | 1, name: string, key = old) {
  const { database } = storages()[connection];
  const { withSharedLock } = createProcessLeases({ database, folderUid: name, isAlone: false });
  return createSharedHostKeys({ database, withSharedLock, keys: async () => [key] }, join(dir, name), ignore);
}

test('host keys are made once, kept where only the service’s user reads them, and replaced when they are damaged', async () => {
  const made = await ensureOwnHostKeys(dir, ignore);
  expect(await ensureOwnHostKeys(dir, ignore)).toEqual(made);
  expect((await stat(hostKeysPath(dir))).mode & 0o777).toBe(0o600);
  const damaged = JSON.stringify({ ...made, rsa: made.ed25519 });
  await writeFile(hostKeysPath(dir), damaged);
  const kept: string[] = [];
  const others = await ensureOwnHostKeys(dir, (path) => kept.push(path));
  expect(others.ed25519).not.toBe(made.ed25519);
  expect(kept).toEqual([join(dir, 'host-keys.json.damaged')]);
  expect(await readFile(String(kept[0]), 'utf8')).toBe(damaged);
});

test('host keys that cannot be read are no missing ones', async () => {
  await mkdir(hostKeysPath(dir));
  await expect(ensureOwnHostKeys(dir, ignore)).rejects.toThrow(/EISDIR/);
});

test('services that start at once have the same host keys, those of the first data folder, sealed in the database', async () => {
  const own = await ensureOwnHostKeys(join(dir, 'one'), ignore);
  const first = await serviceOn(0, 'one')();
  expect(first).toEqual(own);
  const [second, third] = await Promise.all([serviceOn(1, 'two')(), serviceOn(0, 'three')()]);
  expect([second, third]).toEqual([own, own]);
  expect(JSON.parse(await readFile(hostKeysPath(join(dir, 'two')), 'utf8'))).toEqual(own);
  const { database } = storages()[0];
  const row = await database.query.selectFrom('sftp_host_key').select('sealed').executeTakeFirstOrThrow();
  expect(Buffer.from(row.sealed.slice(3), 'base64url').toString('latin1')).not.toMatch(/OPENSSH/);
  await database.write([putKeyCheck(database, next)]);
  const settings = {
    ...{ secretKey: next.toString('base64'), secretKeyFile: '' },
    acceptedSecretKeys: old.toString('base64'),
  };
  const folder = { installationKeyPath: '/nowhere/secret-key' };
  expect(await resealValues({ database, folder, settings, aliveSince: Date.now() })).toEqual({
    resealed: 1,
    lost: 0,
  });
  expect(await serviceOn(1, 'four', next)()).toEqual(own);
});
