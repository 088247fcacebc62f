import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { backupDatabase } from './backup-database.js';
import { type DataFolder, dataFolder } from './data-folder.js';
import { shippedSteps } from './migrations/migrations.js';
import { openCommandStorage, openServiceStorage } from './open-storage.js';
import { restoreDatabase } from './restore.js';
import { openConnection } from './sqlite/connection.js';
import { migrateSqlite } from './sqlite/migrate.js';

describe('upgrades, backups and going back', () => {
  let folder: DataFolder;
  beforeEach(() => {
    folder = dataFolder(mkdtempSync(join(tmpdir(), 'lynceus-upgrade-')));
  });
  afterEach(() => rmSync(folder.dir, { recursive: true }));

  const withService = async (work: (add: (name: string) => Promise<unknown>) => Promise<void>) => {
    const { database, close } = await openServiceStorage(folder);
    await work((name) =>
      database.write([
        database.query
          .insertInto('account')
          .values({ name, plan: 'paid', call_limit: null, result_days: 30, created_at: 1 }),
      ]),
    );
    await close();
  };
  const readNames = async () => {
    const { database, close } = await openCommandStorage(folder);
    const rows = await database.query.selectFrom('account').select('name').orderBy('name').execute();
    await close();
    return rows.map((row) => row.name);
  };
  const read = (statement: string) => {
    const connection = openConnection(folder.databasePath, {
      access: 'write',
      wal: true,
      busyTimeoutMs: 1000,
    });
    const { rows } = connection.run(statement, []);
    connection.close();
    return rows;
  };
  const edit = (statement: string): void => void read(statement);

  test('a new database needs no backup, and a migrated one no migration', async () => {
    await withService(async () => {});
    expect(readdirSync(folder.backupsDir)).toEqual([]);
    expect((await migrateSqlite(folder.databasePath, folder.backupsDir, Date.now())).applied).toEqual([]);
  });

  test('a database of a newer version is refused with the way back', async () => {
    await withService(async () => {});
    edit("insert into kysely_migration (name, timestamp) values ('9999-future', '2099')");
    await expect(openServiceStorage(folder)).rejects.toThrow(
      /changed by a newer version.*9999-future.*lynceus -- restore/,
    );
    await expect(openCommandStorage(folder)).rejects.toMatchObject({ code: 'newer' });
  });

  test('a newer version that changed the database is named, and so is one that only used it', async () => {
    const first = await openServiceStorage(folder, { version: '1.10.0' });
    expect(first.newerVersion).toBeNull();
    await first.close();
    const older = await openServiceStorage(folder, { version: '1.9.3' });
    expect(older.newerVersion).toBe('1.10.0');
    await older.close();
    edit("insert into kysely_migration (name, timestamp) values ('9999-future', '2099')");
    await expect(openServiceStorage(folder, { version: '1.9.3' })).rejects.toThrow(
      /changed by version 1\.10\.0 of Lynceus, which is newer than this one \(it has the change 9999-future\)/,
    );
  });

  test('no version is named that is this one', async () => {
    const version = '1.10.0';
    await (await openServiceStorage(folder, { version })).close();
    edit("insert into kysely_migration (name, timestamp) values ('9999-future', '2099')");
    await expect(openServiceStorage(folder, { version })).rejects.toThrow(/changed by a newer version \(/);
  });

  test('the database of another program is left alone', async () => {
    edit('create table theirs (x)');
    await expect(openServiceStorage(folder)).rejects.toThrow(/another program/);
  });

  test('an existing database is backed up before it is migrated', async () => {
    await withService(async (add) => void (await add('before')));
    const steps = {
      ...shippedSteps,
      '9999-next': (db: Kysely<unknown>) => db.schema.createTable('next').addColumn('a', 'bigint').execute(),
    };
    const { applied, backupPath } = await migrateSqlite(folder.databasePath, folder.backupsDir, 0, steps);
    expect(applied).toEqual(['9999-next']);
    // This program is now the older one: it refuses the new database, and the backup brings it back to work.
    await expect(openServiceStorage(folder)).rejects.toMatchObject({ code: 'newer' });
    await restoreDatabase(folder, String(backupPath), 0);
    expect(await readNames()).toEqual(['before']);
  });

  test('a migration that fails half-way leaves the database as it was', async () => {
    await withService(async (add) => void (await add('kept')));
    const steps = {
      ...shippedSteps,
      '9999-next': async (db: Kysely<unknown>) => {
        await db.schema.createTable('next').addColumn('a', 'bigint').execute();
        await sql`drop table analysis`.execute(db);
        throw new Error('half-way');
      },
    };
    const migrating = migrateSqlite(folder.databasePath, folder.backupsDir, 0, steps);
    await expect(migrating).rejects.toThrow(/could not be migrated.*half-way/);
    expect(await readNames()).toEqual(['kept']);
    const { database, close } = await openCommandStorage(folder);
    expect(await database.query.selectFrom('analysis').selectAll().execute()).toEqual([]);
    await close();
  });

  test('a backup made beside a running service comes back, and what it replaced is kept', async () => {
    let backup = '';
    await withService(async (add) => {
      await add('one');
      backup = backupDatabase(folder, null, 0);
      await add('two');
      await expect(restoreDatabase(folder, backup, 0)).rejects.toThrow(/Another service/);
    });
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    const { replacedPath } = await restoreDatabase(folder, backup, 0);
    expect(await readNames()).toEqual(['one']);
    await restoreDatabase(folder, String(replacedPath), 1000);
    expect(await readNames()).toEqual(['one', 'two']);
  });

  test('commits that were still in the log are kept aside with the database they belong to', async () => {
    await withService(async (add) => void (await add('one')));
    const backup = backupDatabase(folder, null, 0);
    const killed = openConnection(folder.databasePath, { access: 'write', wal: true, busyTimeoutMs: 100 });
    killed.run("update account set name = 'in the log'", []);
    const { replacedPath } = await restoreDatabase(folder, backup, 0);
    killed.close();
    await restoreDatabase(folder, String(replacedPath), 1000);
    expect(await readNames()).toEqual(['in the log']);
  });

  test('a backup never overwrites a file, and leaves none half-written', async () => {
    await withService(async () => {});
    const target = join(folder.dir, 'mine');
    writeFileSync(target, 'precious');
    expect(() => backupDatabase(folder, target, 0)).toThrow(/exists already/);
    expect(() => backupDatabase(folder, join(folder.dir, 'no', 'such', 'folder'), 0)).toThrow(/cannot be/);
    expect(() => backupDatabase(dataFolder(join(folder.dir, 'empty')), null, 0)).toThrow(/no database/);
    expect(readdirSync(folder.dir).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test('nothing is touched when the file to restore is not a sound backup', async () => {
    await withService(async (add) => void (await add('kept')));
    const bad = join(folder.dir, 'bad');
    writeFileSync(bad, 'garbage '.repeat(1000));
    await expect(restoreDatabase(folder, bad, 0)).rejects.toThrow(/Nothing was restored.*bad/);
    writeFileSync(bad, '');
    await expect(restoreDatabase(folder, bad, 0)).rejects.toThrow(/empty/);
    copyFileSync(folder.databasePath, bad);
    writeFileSync(bad, Buffer.alloc(4096, 7), { flag: 'r+' });
    await expect(restoreDatabase(folder, bad, 0)).rejects.toThrow(/Nothing was restored/);
    await expect(restoreDatabase(folder, join(folder.dir, 'none'), 0)).rejects.toThrow(/no file/);
    expect(await readNames()).toEqual(['kept']);
    expect(readdirSync(folder.dir).filter((name) => name.startsWith('restoring'))).toEqual([]);
  });
});
