import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { backupDatabase } from '../backup-database.js';
import { dataFolder } from '../data-folder.js';
import { openCommandStorage, openServiceStorage } from '../open-storage.js';
import { restoreDatabase } from '../restore.js';
import { adoptPair } from './adopt-pair.js';
import { addFile, allNames, keepFiles } from './fixtures/kept-files.js';
import { usePair } from './fixtures/use-pair.js';
import { listFolders, retireFolder } from './list-folders.js';

describe('data folders of one installation', () => {
  const own = usePair();
  const { inService, inDatabase, identity, start } = own;

  test('are one again after a restore into an empty own.folder, and not after that of a stranger', async () => {
    if (!own.isSqlite) return;
    const { installation } = await start();
    const backup = backupDatabase(own.folder, join(own.dir, 'backup.db'), 0);
    const fresh = dataFolder(join(own.dir, 'fresh'));
    await restoreDatabase(fresh, backup, 0);
    expect(await start({}, fresh)).toMatchObject({ installation, finding: null });
    const other = dataFolder(join(own.dir, 'other'));
    await start({}, other);
    const before = readFileSync(other.databasePath);
    await expect(restoreDatabase(other, backup, 0)).rejects.toThrow(/Nothing was restored.*backup of the/);
    expect(readFileSync(other.databasePath).equals(before)).toBe(true);
  });

  test('of a backup are refused where its rows name other files than the folder has, and one that was retired comes back', async () => {
    if (!own.isSqlite) return;
    const { folder: uid } = await start();
    await inService((storage) => keepFiles(storage, 5));
    const backup = backupDatabase(own.folder, join(own.dir, 'backup.db'), 0);
    const strange = dataFolder(join(own.dir, 'strange'));
    for (let count = 0; count < 5; count += 1) addFile(strange);
    const { warning } = await restoreDatabase(strange, backup, 0);
    expect(warning).toMatch(/5 files, of which the database names 0.*adopt --yes/s);
    await expect(start({}, strange)).rejects.toThrow(/has no id/);
    // A folder that left the installation gets the id of the one that is in use.
    const other = dataFolder(join(own.dir, 'other'));
    await restoreDatabase(other, backup, 0);
    writeFileSync(
      other.identityPath,
      JSON.stringify({ ...identity(other), folder: '00000000-0000-4000-8000-000000000000' }),
    );
    const retired = await inDatabase(async (database) => {
      await database.write([
        database.query.insertInto('data_folder').values({
          uid: '00000000-0000-4000-8000-000000000000',
          label: 'x',
          generation: 1,
          retired_at: 1,
          joined_at: 1,
          started_at: 1,
          seen_at: 1,
        }),
      ]);
      return backupDatabase(own.folder, join(own.dir, 'retired.db'), 0);
    });
    expect((await restoreDatabase(other, retired, 1)).warning).toBeNull();
    expect((await start({}, other)).folder).toBe(uid);
  });

  test('several folders share one database on PostgreSQL, each joined by an operator', async () => {
    if (own.isSqlite) return;
    const [a, b, c] = ['a', 'b', 'c'].map((name) => dataFolder(join(own.dir, name)));
    if (!a || !b || !c) throw new Error('no folders');
    const first = await start({}, a);
    await expect(start({}, b)).rejects.toThrow(/has no id.*folders join.*LYNCEUS_JOIN_INSTALLATION/s);
    expect(allNames(b)).toEqual([]);
    const joined = await start({ joinInstallation: true }, b);
    expect(joined).toMatchObject({ installation: first.installation, finding: null });
    expect(joined.folder).not.toBe(first.folder);
    await start({}, b);
    // One that has files of nobody's joins by adoption alone.
    addFile(c);
    await expect(start({ joinInstallation: true }, c)).rejects.toThrow(
      /1 files, of which the database names 0/,
    );

    const storage = await openServiceStorage(a, own.testDatabase);
    const list = () => listFolders(storage.database, Date.now());
    expect((await list()).map(({ state }) => state)).toEqual(['running', 'stopped']);
    await expect(retireFolder(storage.database, first.folder, Date.now())).rejects.toThrow(/runs on/);
    const { query } = storage.database;
    const dayAgo = Date.now() - 25 * 3_600_000;
    await storage.database.write([
      query.updateTable('data_folder').set({ seen_at: dayAgo }).where('uid', '=', joined.folder),
    ]);
    await storage.pair.check();
    expect(storage.pair.notices()).toEqual([expect.stringContaining(joined.folder)]);
    await retireFolder(storage.database, joined.folder, Date.now());
    await storage.pair.check();
    expect(storage.pair.notices()).toEqual([]);
    await storage.close();
    await expect(start({}, b)).rejects.toThrow(/retired.*folders join/s);
    // The setting, which stays, does not say that it is back.
    await expect(start({ joinInstallation: true }, b)).rejects.toThrow(/retired.*folders join/s);
    await start({ joinInstallation: true, returnRetired: true }, b);
    await start({}, b);
  });

  test('a folder whose first start is refused after it joined is none of the installation', async () => {
    await start();
    const withdraw = (of = own.folder) => inService(({ pair }) => pair.withdraw(), joining, of);
    const joining = { joinInstallation: true };
    const folders = () => inDatabase((database) => listFolders(database, Date.now()));
    await withdraw();
    expect(await folders()).toHaveLength(1);
    if (own.isSqlite) return;
    const fresh = dataFolder(join(own.dir, 'fresh'));
    await withdraw(fresh);
    expect(await folders()).toHaveLength(1);
    expect(allNames(fresh)).not.toContain('installation.json');
    await start(joining, fresh);
    await withdraw(fresh);
    expect(await folders()).toHaveLength(2);
  });

  test('an empty folder does not join in the place of one that is registered, as of a volume that is not mounted', async () => {
    if (own.isSqlite) return;
    await start();
    const mounted = dataFolder(join(own.dir, 'mounted'));
    const joining = { joinInstallation: true };
    const { folder: uid } = await start(joining, mounted);
    renameSync(mounted.dir, join(own.dir, 'away'));
    await expect(start(joining, mounted)).rejects.toThrow(
      new RegExp(
        `${uid} of this installation lay in the same place.*mount its volume.*folders retire ${uid}`,
        's',
      ),
    );
    expect(allNames(mounted)).toEqual([]);
    renameSync(join(own.dir, 'away'), mounted.dir);
    expect((await start(joining, mounted)).folder).toBe(uid);
    // Its files are gone for good.
    rmSync(mounted.dir, { recursive: true });
    await inDatabase((database) => retireFolder(database, uid, Date.now()));
    expect((await start(joining, mounted)).folder).not.toBe(uid);
  });

  test('of SQLite that was retired names the way back that works', async () => {
    if (!own.isSqlite) return;
    await inService((storage) => keepFiles(storage, 1));
    const { folder: uid } = await start();
    await inDatabase(({ query, write }) => write([query.updateTable('data_folder').set({ retired_at: 1 })]));
    await expect(start()).rejects.toThrow(/was retired.*adopt says, and confirm it with --yes/s);
    await adoptPair(own.folder, own.testDatabase, Date.now());
    expect((await start()).folder).toBe(uid);
  });

  test('of several folders that start at once on a new database, one names it and the others join', async () => {
    if (own.isSqlite) return;
    const folders = ['a', 'b', 'c'].map((name) => dataFolder(join(own.dir, name)));
    const pairs = await Promise.all(folders.map((each) => start({ joinInstallation: true }, each)));
    expect(new Set(pairs.map(({ installation }) => installation)).size).toBe(1);
    expect(new Set(pairs.map(({ folder: uid }) => uid)).size).toBe(3);
    const outcomes = await Promise.allSettled(
      ['d', 'e'].map((name) => start({}, dataFolder(join(own.dir, name)))),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  test('on PostgreSQL a command that needs no files runs from any own.folder, one that does from its own', async () => {
    if (own.isSqlite) return;
    await start();
    const elsewhere = dataFolder(join(own.dir, 'elsewhere'));
    const command = await openCommandStorage(elsewhere, own.testDatabase);
    await command.close();
    await expect(openCommandStorage(elsewhere, { ...own.testDatabase, usesFiles: true })).rejects.toThrow(
      /has no id/,
    );
  });
});
