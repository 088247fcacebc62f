import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dataFolder } from '../data-folder.js';
import { createEmptyDatabase } from '../fixtures/test-database.js';
import { openCommandStorage } from '../open-storage.js';
import { adoptPair, viewPair } from './adopt-pair.js';
import { addFile, allNames, keepFiles } from './fixtures/kept-files.js';
import { usePair } from './fixtures/use-pair.js';
import { listFolders } from './list-folders.js';

describe('a data folder and its database', () => {
  const own = usePair();
  const { inService, inDatabase, identity, start, forget, suspension, moveDatabaseAway } = own;

  test('are given one id together, and keep it', async () => {
    const first = await start();
    expect(identity()).toMatchObject({ installation: first.installation, folder: first.folder });
    expect(identity()).not.toHaveProperty('next');
    const second = await start();
    expect([second.installation, second.folder, second.finding]).toEqual([
      first.installation,
      first.folder,
      null,
    ]);
    expect(await suspension()).toBeNull();
  });

  test('that existed before there were ids are given one, as rows and files match', async () => {
    await inService((storage) => keepFiles(storage, 12));
    await forget();
    rmSync(own.folder.identityPath);
    addFile(own.folder);
    expect((await start()).finding).toMatch(/13 files, of which the database names 12/);
    expect(await suspension()).toMatchObject({ reason: expect.stringMatching(/joined by its files/) });
    expect((await start()).finding).toBeNull();
  });

  test('that existed before there were ids are refused where the files have other rows', async () => {
    await inService((storage) => keepFiles(storage, 5));
    await forget();
    rmSync(own.folder.identityPath);
    const kept = Array.from({ length: 4 }, () => addFile(own.folder));
    const before = allNames(own.folder);
    await expect(start()).rejects.toThrow(/9 files, of which the database names 5.*adopt/s);
    expect(allNames(own.folder)).toEqual(before);
    for (const path of kept) expect(readFileSync(path, 'utf8')).toBe('x');
  });

  test('are refused when the database is gone, and none is left behind in its place', async () => {
    await inService((storage) => keepFiles(storage, 3));
    const elsewhere = await createEmptyDatabase();
    if (own.isSqlite) moveDatabaseAway();
    const given = own.isSqlite ? {} : elsewhere;
    const before = allNames(own.folder);
    await expect(start(given)).rejects.toMatchObject({ code: 'mismatch' });
    await expect(start(given)).rejects.toThrow(/missing or empty.*LYNCEUS_DATABASE_URL/s);
    await expect(openCommandStorage(own.folder, { ...own.testDatabase, ...given })).rejects.toThrow(
      /missing or empty/,
    );
    if (!own.isSqlite) await expect(start({ databaseUrl: '' })).rejects.toThrow(/missing or empty/);
    await expect(adoptPair(own.folder, { ...own.testDatabase, ...given }, 0)).rejects.toThrow(
      /nothing to adopt/,
    );
    expect(allNames(own.folder)).toEqual(before);
    await elsewhere.drop();
  });

  test('are refused when the database is gone before they were given an id', async () => {
    await inService((storage) => keepFiles(storage, 3));
    if (!own.isSqlite) return;
    moveDatabaseAway();
    rmSync(own.folder.identityPath);
    await expect(start()).rejects.toThrow(/has no id.*missing or empty/s);
    // A copy of nothing is nothing.
    writeFileSync(own.folder.databasePath, '');
    await expect(start()).rejects.toThrow(/missing or empty/);
  });

  test('are refused when the database is that of another installation, until an operator adopts it', async () => {
    const kept = await inService((storage) => keepFiles(storage, 3));
    const other = dataFolder(join(own.dir, 'other'));
    const otherDatabase = await createEmptyDatabase();
    await inService((storage) => keepFiles(storage, 2), otherDatabase, other);
    if (own.isSqlite) renameSync(other.databasePath, own.folder.databasePath);
    const wrong = own.isSqlite ? own.testDatabase : otherDatabase;
    await expect(start(wrong)).rejects.toThrow(/is of the installation .* is of the installation .*adopt/s);
    await expect(openCommandStorage(own.folder, wrong)).rejects.toThrow(/do not belong together/);
    expect(await viewPair(own.folder, wrong)).toMatchObject({
      isPair: false,
      comparison: { files: 3, named: 0, rows: 2 },
    });
    await adoptPair(own.folder, wrong, Date.now());
    expect(await suspension()).toMatchObject({ reason: expect.stringMatching(/adopted/) });
    expect((await start(wrong)).finding).toBeNull();
    for (const path of kept) expect(readFileSync(path, 'utf8')).toBe('x');
    await otherDatabase.drop();
  });

  test('are refused when the folder lost its id, until an operator adopts it', async () => {
    await inService((storage) => keepFiles(storage, 3));
    rmSync(own.folder.identityPath);
    await expect(start()).rejects.toThrow(/has no id.*is of the installation/s);
    await adoptPair(own.folder, own.testDatabase, Date.now());
    await start();
    const folders = await inDatabase((database) => listFolders(database, Date.now()));
    expect(folders.map(({ state }) => state)).toEqual([own.isSqlite ? 'retired' : 'stopped', 'stopped']);
  });
});
