import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type DataFolder, dataFolder } from '../data-folder.js';
import type { Database } from '../database.js';
import { openServiceStorage } from '../open-storage.js';

const newAccount = (database: Database, name: string) =>
  database.query
    .insertInto('account')
    .values({ name, plan: 'trial', call_limit: 5, result_days: 30, created_at: 1 });

describe('storage in the data folder', () => {
  let folder: DataFolder;
  beforeEach(() => {
    folder = dataFolder(join(mkdtempSync(join(tmpdir(), 'lynceus-storage-')), 'data'));
  });
  afterEach(() => rmSync(join(folder.dir, '..'), { recursive: true }));

  test('gathers the writes of many callers into few commits', async () => {
    const commits: number[] = [];
    const { database, close } = await openServiceStorage(folder, {
      onCommit: (units) => commits.push(units),
    });
    await Promise.all(Array.from({ length: 200 }, (_, i) => database.write([newAccount(database, `n${i}`)])));
    const rows = await database.query.selectFrom('account').select('id').execute();
    expect(rows).toHaveLength(200);
    expect(commits.length).toBeLessThan(10);
    await close();
  });

  test('leaves one file when it is closed, that can be copied as it is', async () => {
    const { database, close } = await openServiceStorage(folder);
    await database.write([newAccount(database, 'a')]);
    await close();
    expect(statSync(`${folder.databasePath}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
  });

  test('says what to do about a damaged database', async () => {
    mkdirSync(folder.dir, { recursive: true });
    writeFileSync(folder.databasePath, 'garbage '.repeat(4096));
    await expect(openServiceStorage(folder)).rejects.toThrow(/damaged or not a database.*lynceus -- restore/);
  });
});
