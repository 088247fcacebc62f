import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { backupDatabase } from '../backup-database.js';
import { type DataFolder, dataFolder } from '../data-folder.js';
import type { Database } from '../database.js';
import { fillDisk } from '../fixtures/fill-disk.js';
import { createEmptyDatabase, type TestDatabase } from '../fixtures/test-database.js';
import {
  openCommandStorage,
  openServiceStorage,
  type ServiceStorage,
  type StorageOptions,
} from '../open-storage.js';
import { restoreDatabase } from '../restore.js';
import { readSweepSuspension, resumeSweeps } from '../sweep-suspension.js';
import { adoptPair, viewPair } from './adopt-pair.js';
import { addFile, allNames, keepFiles } from './fixtures/kept-files.js';
import type { FolderIdentity } from './folder-identity.js';
import { listFolders, retireFolder } from './list-folders.js';

describe('a data folder and its database', () => {
  let dir: string;
  let folder: DataFolder;
  let testDatabase: TestDatabase;
  let isSqlite: boolean;
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'lynceus-pair-'));
    folder = dataFolder(join(dir, 'data'));
    testDatabase = await createEmptyDatabase();
    isSqlite = testDatabase.databaseUrl === '';
  });
  afterEach(async () => {
    await testDatabase.drop();
    rmSync(dir, { recursive: true });
  });

  const inService = async <T>(
    work: (storage: ServiceStorage) => Promise<T>,
    options: StorageOptions = {},
    of = folder,
  ): Promise<T> => {
    const storage = await openServiceStorage(of, { ...testDatabase, ...options });
    try {
      return await work(storage);
    } finally {
      await storage.close();
    }
  };
  const start = (options: StorageOptions = {}, of = folder) =>
    inService(async ({ pair }) => pair, options, of);
  const identity = (of = folder): FolderIdentity => JSON.parse(readFileSync(of.identityPath, 'utf8'));
  const setIdentity = (changed: Partial<FolderIdentity>) =>
    writeFileSync(folder.identityPath, JSON.stringify({ ...identity(), ...changed }));
  const setGeneration = (generation: number) =>
    inDatabase((database) => database.write([database.query.updateTable('data_folder').set({ generation })]));
  const inDatabase = async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
    const storage = await openCommandStorage(folder, testDatabase);
    try {
      return await work(storage.database);
    } finally {
      await storage.close();
    }
  };
  const forget = () =>
    inDatabase(({ query, write }) =>
      write([query.deleteFrom('installation'), query.deleteFrom('data_folder')]),
    );
  const suspension = () => readSweepSuspension(folder, Date.now());
  const moveDatabaseAway = () => renameSync(folder.databasePath, join(dir, 'away.db'));

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
    rmSync(folder.identityPath);
    addFile(folder);
    expect((await start()).finding).toMatch(/13 files, of which the database names 12/);
    expect(await suspension()).toMatchObject({ reason: expect.stringMatching(/joined by its files/) });
    expect((await start()).finding).toBeNull();
  });

  test('that existed before there were ids are refused where the files have other rows', async () => {
    await inService((storage) => keepFiles(storage, 5));
    await forget();
    rmSync(folder.identityPath);
    const kept = Array.from({ length: 4 }, () => addFile(folder));
    const before = allNames(folder);
    await expect(start()).rejects.toThrow(/9 files, of which the database names 5.*adopt/s);
    expect(allNames(folder)).toEqual(before);
    for (const path of kept) expect(readFileSync(path, 'utf8')).toBe('x');
  });

  test('are refused when the database is gone, and none is left behind in its place', async () => {
    await inService((storage) => keepFiles(storage, 3));
    const elsewhere = await createEmptyDatabase();
    if (isSqlite) moveDatabaseAway();
    const given = isSqlite ? {} : elsewhere;
    const before = allNames(folder);
    await expect(start(given)).rejects.toMatchObject({ code: 'mismatch' });
    await expect(start(given)).rejects.toThrow(/missing or empty.*LYNCEUS_DATABASE_URL/s);
    await expect(openCommandStorage(folder, { ...testDatabase, ...given })).rejects.toThrow(
      /missing or empty/,
    );
    if (!isSqlite) await expect(start({ databaseUrl: '' })).rejects.toThrow(/missing or empty/);
    await expect(adoptPair(folder, { ...testDatabase, ...given }, 0)).rejects.toThrow(/nothing to adopt/);
    expect(allNames(folder)).toEqual(before);
    await elsewhere.drop();
  });

  test('are refused when the database is gone before they were given an id', async () => {
    await inService((storage) => keepFiles(storage, 3));
    if (!isSqlite) return;
    moveDatabaseAway();
    rmSync(folder.identityPath);
    await expect(start()).rejects.toThrow(/has no id.*missing or empty/s);
    // A copy of nothing is nothing.
    writeFileSync(folder.databasePath, '');
    await expect(start()).rejects.toThrow(/missing or empty/);
  });

  test('are refused when the database is that of another installation, until an operator adopts it', async () => {
    const kept = await inService((storage) => keepFiles(storage, 3));
    const other = dataFolder(join(dir, 'other'));
    const otherDatabase = await createEmptyDatabase();
    await inService((storage) => keepFiles(storage, 2), otherDatabase, other);
    if (isSqlite) renameSync(other.databasePath, folder.databasePath);
    const wrong = isSqlite ? testDatabase : otherDatabase;
    await expect(start(wrong)).rejects.toThrow(/is of the installation .* is of the installation .*adopt/s);
    await expect(openCommandStorage(folder, wrong)).rejects.toThrow(/do not belong together/);
    expect(await viewPair(folder, wrong)).toMatchObject({
      isPair: false,
      comparison: { files: 3, named: 0, rows: 2 },
    });
    await adoptPair(folder, wrong, Date.now());
    expect(await suspension()).toMatchObject({ reason: expect.stringMatching(/adopted/) });
    expect((await start(wrong)).finding).toBeNull();
    for (const path of kept) expect(readFileSync(path, 'utf8')).toBe('x');
    await otherDatabase.drop();
  });

  test('are refused when the folder lost its id, until an operator adopts it', async () => {
    await inService((storage) => keepFiles(storage, 3));
    rmSync(folder.identityPath);
    await expect(start()).rejects.toThrow(/has no id.*is of the installation/s);
    await adoptPair(folder, testDatabase, Date.now());
    await start();
    const folders = await inDatabase((database) => listFolders(database, Date.now()));
    expect(folders.map(({ state }) => state)).toEqual([isSqlite ? 'retired' : 'stopped', 'stopped']);
  });

  test('start after a kill at any point of the first start', async () => {
    const { installation, folder: uid } = await start();
    // The folder alone was written.
    await forget();
    setIdentity({ generation: 0, next: 1 });
    expect(await start()).toMatchObject({ installation, folder: uid, finding: null });
    // The database too, and the folder not again.
    await setGeneration(1);
    setIdentity({ generation: 0, next: 1 });
    expect(await start()).toMatchObject({ installation, folder: uid, finding: null });
    expect(await suspension()).toBeNull();
  });

  test('start after a kill at any point of a later start or check', async () => {
    await start();
    for (const inDatabaseIs of [7, 8]) {
      await setGeneration(inDatabaseIs);
      setIdentity({ generation: 7, next: 8 });
      expect((await start()).finding).toBeNull();
    }
    expect(await suspension()).toBeNull();
  });

  test('start with sweeps suspended when the database is older than the folder', async () => {
    await start();
    await setGeneration(1);
    const { finding, notices } = await start();
    expect(finding).toMatch(/the database is older/);
    expect(notices()).toEqual([finding]);
    expect(await suspension()).toMatchObject({ reason: expect.stringMatching(/the database is older/) });
    expect((await start()).finding).toBeNull();
    const [listed] = await inDatabase((database) => listFolders(database, Date.now()));
    expect(listed?.finding).toBe(finding);
  });

  test('start with sweeps suspended when the database is of before the folder joined', async () => {
    await start();
    await inDatabase(({ query, write }) => write([query.deleteFrom('data_folder')]));
    expect((await start()).finding).toMatch(/older copy/);
    expect(await suspension()).not.toBeNull();
  });

  test('start with sweeps suspended when the folder is older than the database', async () => {
    await start();
    const older = readFileSync(folder.identityPath);
    await start();
    writeFileSync(folder.identityPath, older);
    expect((await start()).finding).toMatch(/the folder is older/);
    expect(await suspension()).not.toBeNull();
    expect((await start()).finding).toBeNull();
  });

  test('suspend sweeps when the database is replaced while the service runs', async () => {
    await inService(async ({ pair, database }) => {
      await pair.check();
      await pair.check();
      expect([await suspension(), pair.notices()]).toEqual([null, []]);
      await database.write([database.query.updateTable('data_folder').set({ generation: 1 })]);
      await pair.check();
      expect(await suspension()).toMatchObject({ reason: expect.stringMatching(/was replaced/) });
      expect(pair.notices()).toEqual([expect.stringMatching(/was replaced/)]);
    });
    expect((await start()).finding).toMatch(/older/);
  });

  test('are distinguished from a backup made while the service ran', async () => {
    const generation = await inService(({ database }) =>
      database.query.selectFrom('data_folder').select('generation').executeTakeFirstOrThrow(),
    );
    // As the backup has it that is put back now.
    await setGeneration(generation.generation);
    expect((await start()).finding).toMatch(/the database is older/);
  });

  test('are one again after a restore into an empty folder, and not after that of a stranger', async () => {
    if (!isSqlite) return;
    const { installation } = await start();
    const backup = backupDatabase(folder, join(dir, 'backup.db'), 0);
    const fresh = dataFolder(join(dir, 'fresh'));
    await restoreDatabase(fresh, backup, 0);
    expect(await start({}, fresh)).toMatchObject({ installation, finding: null });
    const other = dataFolder(join(dir, 'other'));
    await start({}, other);
    const before = readFileSync(other.databasePath);
    await expect(restoreDatabase(other, backup, 0)).rejects.toThrow(/Nothing was restored.*backup of the/);
    expect(readFileSync(other.databasePath).equals(before)).toBe(true);
  });

  test('of a backup are refused where its rows name other files than the folder has, and one that was retired comes back', async () => {
    if (!isSqlite) return;
    const { folder: uid } = await start();
    await inService((storage) => keepFiles(storage, 5));
    const backup = backupDatabase(folder, join(dir, 'backup.db'), 0);
    const strange = dataFolder(join(dir, 'strange'));
    for (let count = 0; count < 5; count += 1) addFile(strange);
    const { warning } = await restoreDatabase(strange, backup, 0);
    expect(warning).toMatch(/5 files, of which the database names 0.*adopt --yes/s);
    await expect(start({}, strange)).rejects.toThrow(/has no id/);
    // A folder that left the installation gets the id of the one that is in use.
    const other = dataFolder(join(dir, 'other'));
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
      return backupDatabase(folder, join(dir, 'retired.db'), 0);
    });
    expect((await restoreDatabase(other, retired, 1)).warning).toBeNull();
    expect((await start({}, other)).folder).toBe(uid);
  });

  test('several folders share one database on PostgreSQL, each joined by an operator', async () => {
    if (isSqlite) return;
    const [a, b, c] = ['a', 'b', 'c'].map((name) => dataFolder(join(dir, name)));
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

    const storage = await openServiceStorage(a, testDatabase);
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

  test('an empty folder does not join in the place of one that is registered, as of a volume that is not mounted', async () => {
    if (isSqlite) return;
    await start();
    const mounted = dataFolder(join(dir, 'mounted'));
    const joining = { joinInstallation: true };
    const { folder: uid } = await start(joining, mounted);
    renameSync(mounted.dir, join(dir, 'away'));
    await expect(start(joining, mounted)).rejects.toThrow(
      new RegExp(
        `${uid} of this installation lay in the same place.*mount its volume.*folders retire ${uid}`,
        's',
      ),
    );
    expect(allNames(mounted)).toEqual([]);
    renameSync(join(dir, 'away'), mounted.dir);
    expect((await start(joining, mounted)).folder).toBe(uid);
    // Its files are gone for good.
    rmSync(mounted.dir, { recursive: true });
    await inDatabase((database) => retireFolder(database, uid, Date.now()));
    expect((await start(joining, mounted)).folder).not.toBe(uid);
  });

  test('of SQLite that was retired names the way back that works', async () => {
    if (!isSqlite) return;
    await inService((storage) => keepFiles(storage, 1));
    const { folder: uid } = await start();
    await inDatabase(({ query, write }) => write([query.updateTable('data_folder').set({ retired_at: 1 })]));
    await expect(start()).rejects.toThrow(/was retired.*adopt says, and confirm it with --yes/s);
    await adoptPair(folder, testDatabase, Date.now());
    expect((await start()).folder).toBe(uid);
  });

  test('suspend sweeps once for a replaced database, and not again when an operator resumed them', async () => {
    const found: string[] = [];
    await inService(
      async ({ pair, database }) => {
        await database.write([database.query.updateTable('data_folder').set({ generation: 99 })]);
        await pair.check();
        expect(await suspension()).not.toBeNull();
        await resumeSweeps(folder);
        await pair.check();
        await pair.check();
        expect(await suspension()).toBeNull();
        expect(pair.notices()).toEqual([expect.stringMatching(/restart the service/)]);
      },
      { onReplaced: (finding) => found.push(finding) },
    );
    expect(found).toEqual([expect.stringMatching(/was replaced.*restart the service/)]);
  });

  test('start, and are looked at, on a disk that is full', async () => {
    await start();
    const before = readFileSync(folder.identityPath, 'utf8');
    const undo = fillDisk(folder.identityPath);
    try {
      await inService(async ({ pair, database }) => {
        expect(pair.finding).toBeNull();
        await pair.check();
        await pair.check();
        expect([await suspension(), pair.notices()]).toEqual([null, []]);
        await database.write([database.query.updateTable('data_folder').set({ generation: 99 })]);
        await pair.check().catch(() => undefined);
        expect(pair.notices()).toEqual([expect.stringMatching(/was replaced/)]);
        await database.write([
          database.query.updateTable('data_folder').set({ generation: JSON.parse(before).generation }),
        ]);
      });
    } finally {
      undo();
    }
    expect((await start()).finding).toBeNull();
  });

  test('of several folders that start at once on a new database, one names it and the others join', async () => {
    if (isSqlite) return;
    const folders = ['a', 'b', 'c'].map((name) => dataFolder(join(dir, name)));
    const pairs = await Promise.all(folders.map((each) => start({ joinInstallation: true }, each)));
    expect(new Set(pairs.map(({ installation }) => installation)).size).toBe(1);
    expect(new Set(pairs.map(({ folder: uid }) => uid)).size).toBe(3);
    const outcomes = await Promise.allSettled(
      ['d', 'e'].map((name) => start({}, dataFolder(join(dir, name)))),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  test('on PostgreSQL a command that needs no files runs from any folder, one that does from its own', async () => {
    if (isSqlite) return;
    await start();
    const elsewhere = dataFolder(join(dir, 'elsewhere'));
    const command = await openCommandStorage(elsewhere, testDatabase);
    await command.close();
    await expect(openCommandStorage(elsewhere, { ...testDatabase, usesFiles: true })).rejects.toThrow(
      /has no id/,
    );
  });
});
