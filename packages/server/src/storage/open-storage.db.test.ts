import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type DataFolder, dataFolder } from './data-folder.js';
import type { Database } from './database.js';
import { createEmptyDatabase, type TestDatabase } from './fixtures/test-database.js';
import { openCommandStorage, openServiceStorage, type Storage } from './open-storage.js';

const newAccount = (database: Database, name: string) =>
  database.query
    .insertInto('account')
    .values({ name, plan: 'trial', call_limit: 5, result_days: 30, created_at: 1 })
    .returning('id');
const names = async (database: Database) =>
  (await database.query.selectFrom('account').select('name').orderBy('name').execute()).map(
    (row) => row.name,
  );

describe('storage', () => {
  let folder: DataFolder;
  let testDatabase: TestDatabase;
  const opened: Storage[] = [];
  const open = async (kind: 'service' | 'command' = 'service') => {
    const storage = await (kind === 'service'
      ? openServiceStorage(folder, testDatabase)
      : openCommandStorage(folder, testDatabase));
    opened.push(storage);
    return storage;
  };
  beforeEach(async () => {
    testDatabase = await createEmptyDatabase();
    folder = dataFolder(join(mkdtempSync(join(tmpdir(), 'lynceus-storage-')), 'data'));
  });
  afterEach(async () => {
    for (const storage of opened.splice(0)) await storage.close();
    await testDatabase.drop();
    rmSync(join(folder.dir, '..'), { recursive: true });
  });

  test('is readable by its owner alone', async () => {
    await open();
    expect(statSync(folder.dir).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder.dir, { recursive: true, encoding: 'utf8' })) {
      expect([name, statSync(join(folder.dir, name)).mode & 0o077]).toEqual([name, 0]);
    }
  });

  test('shows a write to every read that starts after it resolved', async () => {
    const { database } = await open();
    for (let round = 0; round < 50; round += 1) {
      const name = `a${String(round).padStart(2, '0')}`;
      const [made] = await database.write([newAccount(database, name)]);
      expect(made?.rows[0]?.['id']).toBe(round + 1);
      expect((await names(database)).at(-1)).toBe(name);
    }
  });

  test('keeps the unit of one caller from failing that of another', async () => {
    const { database } = await open();
    await database.write([newAccount(database, 'a')]);
    const outcomes = await Promise.allSettled([
      database.write([newAccount(database, 'b'), newAccount(database, 'a')]),
      database.write([newAccount(database, 'c')]),
    ]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'fulfilled']);
    expect(await names(database)).toEqual(['a', 'c']);
  });

  test('refuses to change anything through a query', async () => {
    const { database } = await open();
    await expect(newAccount(database, 'a').execute()).rejects.toThrow(/read-?only/i);
    await expect(database.query.transaction().execute(async () => {})).rejects.toThrow(/write\(\)/);
    expect(await names(database)).toEqual([]);
  });

  test('refuses a value it would mangle where it is bound', async () => {
    const { database } = await open();
    await expect(database.write([newAccount(database, 'a\0b')])).rejects.toThrow(/NUL/);
    await expect(sql`select ${true} as v`.execute(database.query)).rejects.toThrow(/0 or 1/);
    expect(database.isReady()).toBe(true);
  });

  test('finishes what was asked for before it closes, and refuses what comes after', async () => {
    const { database, close } = await open();
    const writes = Promise.all(
      Array.from({ length: 20 }, (_, i) => database.write([newAccount(database, `n${i}`)])),
    );
    await close();
    opened.length = 0;
    await expect(writes).resolves.toHaveLength(20);
    await expect(database.write([newAccount(database, 'late')])).rejects.toMatchObject({ code: 'closed' });
  });

  test('lets no second service in, and a command beside the first', async () => {
    const service = await open();
    await expect(openServiceStorage(folder, testDatabase)).rejects.toThrow(/Another service/);
    const command = await open('command');
    await Promise.all([
      command.database.write([newAccount(command.database, 'by-command')]),
      service.database.write([newAccount(service.database, 'by-service')]),
    ]);
    expect(await names(service.database)).toEqual(['by-command', 'by-service']);
  });

  test('is free again once the service has closed it', async () => {
    const first = await openServiceStorage(folder, testDatabase);
    await first.close();
    await open();
  });

  test.each(['before the first start', 'beside another command'])('opens for a command %s', async () => {
    const [one, two] = await Promise.all([open('command'), open('command')]);
    await one.database.write([newAccount(one.database, 'a')]);
    expect(await names(two.database)).toEqual(['a']);
  });

  test('says what to do about a data folder that cannot be one', async () => {
    writeFileSync(folder.dir, 'a file');
    await expect(openServiceStorage(folder, testDatabase)).rejects.toThrow(
      /cannot be used.*LYNCEUS_DATA_DIR/,
    );
    rmSync(folder.dir);
  });
});
