import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dataFolder } from '../data-folder.js';
import { createTestDatabase, type TestDatabase } from '../fixtures/test-database.js';
import { openServiceStorage, type Storage } from '../open-storage.js';
import { deriveKey } from './derive-key.js';
import { openInstallationKeys, readInstallationKeys } from './installation-key.js';
import { keyCheckOf } from './key-check.js';
import { adoptInstallationKey, rotateInstallationKey } from './replace-key.js';
import { sealContexts } from './sealed-values.js';
import { createSecretBox } from './secret-box.js';

let dir: string;
let testDatabase: TestDatabase;
let storage: Storage;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-installation-key-'));
  testDatabase = await createTestDatabase(dir);
  storage = await openServiceStorage(dataFolder(dir), testDatabase);
});
afterEach(async () => {
  await storage.close();
  await testDatabase.drop();
  await rm(dir, { recursive: true });
});

const path = (name = 'secret-key') => join(dir, name);
const depsOf = (settings: { secretKey?: string; secretKeyFile?: string } = {}, folderDir = dir) => ({
  database: storage.database,
  folder: dataFolder(folderDir),
  settings: { secretKey: '', secretKeyFile: '', databaseUrl: testDatabase.databaseUrl, ...settings },
});
const open = async (...settings: Parameters<typeof depsOf>) =>
  Buffer.from((await openInstallationKeys(depsOf(...settings)))[0]);
const read = async (...settings: Parameters<typeof depsOf>) =>
  Buffer.from((await readInstallationKeys(depsOf(...settings)))[0]);
const newKeyText = () => randomBytes(32).toString('base64');

/** A drop whose destination has a sealed password, as it is in the database. */
async function sealForDrop(key: Uint8Array, text = 'a password'): Promise<void> {
  const { query, write } = storage.database;
  await write([
    query
      .insertInto('account')
      .values({ name: 'one', plan: 'paid', call_limit: null, result_days: 1, created_at: 1 }),
    query.insertInto('drop_box').values({
      account_id: 1,
      id: 1001,
      uid: 'the-uid',
      name: 'desk',
      user_name: 'desk',
      key_id: 1,
      settings: '{}',
      destination: '{}',
      created_at: 1,
      deleted_at: null,
      sealed_secrets: createSecretBox([key]).seal(text, sealContexts.dropSecrets('the-uid')),
    }),
  ]);
}
async function readSealed(key: Uint8Array): Promise<string | null> {
  const row = await storage.database.query.selectFrom('drop_box').select('sealed_secrets').executeTakeFirst();
  return createSecretBox([key]).open(row?.sealed_secrets ?? '', sealContexts.dropSecrets('the-uid'));
}
const readCheck = async () =>
  (await storage.database.query.selectFrom('installation_key').selectAll().execute()).map(
    ({ check_value }) => check_value,
  );

describe('the key of an installation', () => {
  test('is made at the first start for its owner alone, and is the same ever after', async () => {
    const key = await open();
    expect(key).toHaveLength(32);
    expect((await stat(path())).mode & 0o777).toBe(0o600);
    expect(await open()).toEqual(key);
    // The database knows it again, and has nothing of it.
    expect(await readCheck()).toEqual([keyCheckOf(key)]);
    for (const encoding of ['base64url', 'hex', 'latin1'] as const) {
      expect(String(await readCheck())).not.toContain(key.toString(encoding));
    }
  });

  test('may come from a setting or a file, which may be a link, for several services', async () => {
    const text = newKeyText();
    await writeFile(path('mounted'), `${text}\n`);
    await symlink(path('mounted'), path('named'));
    const key = await open({ secretKey: text });
    expect(key).toEqual(Buffer.from(text, 'base64'));
    expect(await open({ secretKeyFile: path('named') })).toEqual(key);
    expect(await readdir(dir)).not.toContain('secret-key');
    await expect(open({ secretKeyFile: path('missing') })).rejects.toThrow(
      /no file .*missing, which the setting secretKeyFile names/,
    );
  });

  test('that is another than the database knows is refused, with what to do and without the key', async () => {
    await open();
    const text = newKeyText();
    const refused = open({ secretKey: text });
    await expect(refused).rejects.toMatchObject({ code: 'wrong-key' });
    await expect(refused).rejects.toThrow(
      /LYNCEUS_SECRET_KEY.* is another than this database is used with.*Put back the file.*secret-key adopt/,
    );
    await expect(refused).rejects.not.toThrow(text);
  });

  test('that is missing is not created again while something is sealed', async () => {
    const key = await open();
    await sealForDrop(key);
    await rm(path());
    await expect(open()).rejects.toThrow(
      /secret-key, is missing, and 1 values of the database are sealed with it.*Put back the file/,
    );
    expect(await readdir(dir)).not.toContain('secret-key');
    expect(await adoptInstallationKey(depsOf())).toEqual({ lost: 1 });
    expect(await open()).not.toEqual(key);
  });

  test('that is missing is created again by a start where nothing is sealed and no other service may have it', async () => {
    const key = await open();
    await rm(path());
    if (testDatabase.databaseUrl === '') {
      expect(await open()).not.toEqual(key);
      return;
    }
    await expect(open()).rejects.toThrow(/other services on this database have one. Copy their file/);
    expect(await readdir(dir)).not.toContain('secret-key');
  });

  test('is neither created nor replaced by a command', async () => {
    await expect(read()).rejects.toThrow(/no key of its installation yet.*Start the service once/);
    await expect(read({ secretKey: newKeyText() })).rejects.toThrow(/Start the service once/);
    expect([await readCheck(), await readdir(dir)]).toEqual([[], expect.not.arrayContaining(['secret-key'])]);
    const secretKey = newKeyText();
    const key = await open({ secretKey });
    const check = await readCheck();
    await expect(read()).rejects.toThrow(
      /no file .*secret-key.*LYNCEUS_SECRET_KEY.*same settings as the service/,
    );
    await expect(read({ secretKey: newKeyText() })).rejects.toMatchObject({ code: 'wrong-key' });
    expect([await readCheck(), await readdir(dir)]).toEqual([
      check,
      expect.not.arrayContaining(['secret-key']),
    ]);
    expect(await read({ secretKey })).toEqual(key);
    expect(await open({ secretKey })).toEqual(key);
  });

  test('of a database from before the check is known to a command, which registers nothing', async () => {
    const key = randomBytes(32);
    await sealForDrop(key);
    await expect(read({ secretKey: newKeyText() })).rejects.toMatchObject({ code: 'wrong-key' });
    expect(await read({ secretKey: key.toString('base64url') })).toEqual(key);
    expect(await readCheck()).toEqual([]);
  });

  test('of a database from before the check is known by what is sealed', async () => {
    const key = randomBytes(32);
    await sealForDrop(key);
    await expect(open({ secretKey: newKeyText() })).rejects.toMatchObject({ code: 'wrong-key' });
    expect(await readCheck()).toEqual([]);
    expect(await open({ secretKey: key.toString('base64url') })).toEqual(key);
  });

  test('of several that come at once one is taken', async () => {
    const texts = Array.from({ length: 8 }, newKeyText);
    const opened = await Promise.allSettled(texts.map((secretKey) => open({ secretKey })));
    expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await readCheck()).toHaveLength(1);
  });

  test('gives keys for purposes that tell nothing of each other', () => {
    const key = randomBytes(32);
    expect(deriveKey(key, 'a')).toEqual(deriveKey(key, 'a'));
    expect(deriveKey(key, 'a')).not.toEqual(deriveKey(key, 'b'));
    expect(deriveKey(key, 'a')).toHaveLength(32);
  });
});

describe('a rotation', () => {
  test('seals everything with the new key, and keeps the old one for older backups', async () => {
    const old = await open();
    await sealForDrop(old);
    const { resealed, lost, oldKeyPath } = await rotateInstallationKey(depsOf(), null);
    expect({ resealed, lost }).toEqual({ resealed: 1, lost: 0 });
    const key = await open();
    expect(key).not.toEqual(old);
    expect([await readSealed(key), await readSealed(old)]).toEqual(['a password', null]);
    expect(await readFile(oldKeyPath ?? '', 'utf8')).toBe(`${old.toString('base64url')}\n`);
    expect((await stat(path())).mode & 0o777).toBe(0o600);
    expect(await readdir(dir)).not.toContain('secret-key.next');
  });

  test('cut before the database changed leaves the old key in use, and is begun again', async () => {
    const old = await open();
    await sealForDrop(old);
    await writeFile(path('secret-key.next'), `${newKeyText()}\n`);
    expect(await open()).toEqual(old);
    expect(await rotateInstallationKey(depsOf(), null)).toMatchObject({ resealed: 1 });
    expect(await readSealed(await open())).toBe('a password');
  });

  test('cut after the database changed is done to its end by whatever opens the key next', async () => {
    const old = await open();
    await sealForDrop(old);
    // As if the file had not been put in its place yet.
    const to = path('secret-key.next');
    await rotateInstallationKey(depsOf(), to);
    expect(await readFile(path(), 'utf8')).toBe(`${old.toString('base64url')}\n`);
    const key = await open();
    expect(await readSealed(key)).toBe('a password');
    expect(await open()).toEqual(key);
    expect(await readdir(dir)).not.toContain('secret-key.next');
  });

  test('of a key from a setting puts the new one where it is asked to', async () => {
    const secretKey = newKeyText();
    const old = await open({ secretKey });
    await sealForDrop(old);
    await expect(rotateInstallationKey(depsOf({ secretKey }), null)).rejects.toThrow(/--to FILE/);
    await rotateInstallationKey(depsOf({ secretKey }), path('new-key'));
    await expect(open({ secretKey })).rejects.toMatchObject({ code: 'wrong-key' });
    expect(await readSealed(await open({ secretKeyFile: path('new-key') }))).toBe('a password');
  });

  test('is found again in a database of before it, by the name of the file that fits', async () => {
    const old = await open();
    const check = await readCheck();
    const { oldKeyPath } = await rotateInstallationKey(depsOf(), null);
    // As after a restore of a backup of before the rotation.
    const { query, write } = storage.database;
    await write([query.updateTable('installation_key').set({ check_value: String(check[0]) })]);
    const attempts = [() => open(), () => read(), () => open({ secretKey: newKeyText() })];
    for (const attempt of attempts) {
      await expect(attempt()).rejects.toThrow(`The key that fits this database is ${oldKeyPath}`);
    }
    await rm(path());
    await expect(open()).rejects.toThrow(`The key that fits this database is ${oldKeyPath}`);
    await expect(read()).rejects.toThrow(`The key that fits this database is ${oldKeyPath}`);
    await copyFile(String(oldKeyPath), path());
    expect(await open()).toEqual(old);
  });

  test('that was cut is read by a command as it is', async () => {
    await open();
    await rotateInstallationKey(depsOf(), path('secret-key.next'));
    const before = await readFile(path(), 'utf8');
    const key = await read();
    expect(keyCheckOf(key)).toBe((await readCheck())[0]);
    expect([await readFile(path(), 'utf8'), await readdir(dir)]).toEqual([
      before,
      expect.arrayContaining(['secret-key.next']),
    ]);
  });

  test('into a file that is there, or with the key that is in use, is refused', async () => {
    const key = await open();
    await writeFile(path('there'), `${newKeyText()}\n`);
    for (const to of [path(), path('there')]) {
      await expect(rotateInstallationKey(depsOf(), to)).rejects.toThrow(/exists already/);
    }
    await copyFile(path(), path('secret-key.next'));
    await expect(rotateInstallationKey(depsOf(), null)).rejects.toThrow(/the key that is in use/);
    expect(await open()).toEqual(key);
  });
});
