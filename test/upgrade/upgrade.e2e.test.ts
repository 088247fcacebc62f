import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runCommand } from '#bench/service.js';
import { readTar } from '#server/storage/archive/read-tar.js';
import { jsonMember, type TarMember, writeTar } from '#server/storage/archive/write-tar.js';
import { type DataFolder, dataFolder } from '#server/storage/data-folder.js';
import { describeSchema } from '#server/storage/fixtures/describe-schema.js';
import { type MigrationSteps, shippedSteps } from '#server/storage/migrations/migrations.js';
import { openServiceStorage } from '#server/storage/open-storage.js';
import { openConnection } from '#server/storage/sqlite/connection.js';
import { migrateSqlite } from '#server/storage/sqlite/migrate.js';

/** Backups of earlier versions, by the last migration that each has. */
const archives = ['0001-tables'] as const;
const refusal = /commit [0-9a-f]{8} of Lynceus is the last that opens it.*faces export.*Nothing was changed/;

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-upgrade-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

describe.each(archives)('a backup with the tables of %s', (name) => {
  let restored: DataFolder;
  let archivePath: string;
  beforeAll(async () => {
    archivePath = join(dir, `${name}.tar`);
    const packed = await readFile(new URL(`../../upgrade/data/${name}.tar.gz`, import.meta.url));
    await writeFile(archivePath, gunzipSync(packed));
    restored = dataFolder(join(dir, `restored-${name}`));
    await command(restored, 'restore', archivePath);
  });
  let folder: DataFolder;
  beforeEach(async () => {
    folder = dataFolder(await mkdtemp(join(dir, 'folder-')));
    await cp(restored.dir, folder.dir, { recursive: true });
  });

  test('is restored, and migrated with all its rows to the tables of a new database', async () => {
    expect(query(folder, 'select name from kysely_migration order by name').at(-1)?.['name']).toBe(name);
    const before = countRows(folder);
    expect(Object.values(before).filter((rows) => rows > 0).length).toBeGreaterThan(15);
    const { database, close } = await openServiceStorage(folder);
    const schema = await describeSchema(database.query, true);
    await close();
    const fresh = await openServiceStorage(dataFolder(await mkdtemp(join(dir, 'fresh-'))));
    expect(schema).toBe(await describeSchema(fresh.database.query, true));
    await fresh.close();
    // The restored folder has joined its database.
    expect(countRows(folder)).toMatchObject({ ...before, data_folder: expect.any(Number) });
    expect(await command(folder, 'accounts', 'list')).toContain('upgraded');
  });

  test('is migrated by all later steps in one transaction, each once', async () => {
    let runs = 0;
    const steps = (hasFault: boolean): MigrationSteps => ({
      ...shippedSteps,
      '9998-next': async (db: Kysely<unknown>) => {
        runs += 1;
        await db.schema.createTable('next').addColumn('a', 'bigint').execute();
      },
      '9999-last': async (db: Kysely<unknown>) => {
        if (hasFault) throw new Error('half-way');
        await db.schema.alterTable('next').addColumn('b', 'bigint').execute();
      },
    });
    const { databasePath, backupsDir } = folder;
    let nowMs = 0;
    const migrate = (hasFault: boolean) => {
      nowMs += 1000;
      return migrateSqlite(databasePath, backupsDir, nowMs, steps(hasFault));
    };
    const before = tablesOf(folder);
    await expect(migrate(true)).rejects.toThrow(/half-way/);
    expect(tablesOf(folder)).toEqual(before);
    expect((await migrate(false)).applied.slice(-2)).toEqual(['9998-next', '9999-last']);
    expect((await migrate(false)).applied).toEqual([]);
    expect(runs).toBe(2);
    expect(query(folder, 'select a, b from next')).toEqual([]);
  });

  describe('from before these', () => {
    beforeEach(() => void query(folder, "update kysely_migration set name = '0001-accounts'"));

    test('is refused by the service and by commands, and nothing is changed', async () => {
      const before = await filesOf(folder);
      for (const words of [['serve'], ['accounts', 'list'], ['backup', '--with-files', 'new']])
        await expect(command(folder, ...words), words.join(' ')).rejects.toThrow(refusal);
      expect(await filesOf(folder)).toEqual(before);
    });

    test('is refused as a backup of the database, and as an archive', async () => {
      const before = await filesOf(restored);
      const archive = join(folder.dir, 'before.tar');
      await writeFile(archive, await withMigrations(await readFile(archivePath), ['0001-accounts']));
      for (const path of [folder.databasePath, archive])
        await expect(command(restored, 'restore', path), path).rejects.toThrow(refusal);
      expect(await filesOf(restored)).toEqual(before);
    });
  });
});

function command({ dir }: DataFolder, ...words: readonly string[]): Promise<string> {
  return runCommand(words, { LYNCEUS_DATA_DIR: dir, LYNCEUS_PORT: '0' });
}

function query({ databasePath }: DataFolder, text: string) {
  const connection = openConnection(databasePath, { access: 'write', wal: false, busyTimeoutMs: 1000 });
  try {
    return connection.run(text, []).rows;
  } finally {
    connection.close();
  }
}

function tablesOf(folder: DataFolder): readonly string[] {
  const rows = query(folder, "select name from sqlite_master where type = 'table' order by name");
  return rows.map(({ name }) => String(name));
}

function countRows(folder: DataFolder): Readonly<Record<string, number>> {
  const count = (table: string) => Number(query(folder, `select count(*) as n from ${table}`)[0]?.['n']);
  const names = tablesOf(folder).filter((table) => !/^(sqlite|kysely)_/.test(table));
  return Object.fromEntries(names.map((table) => [table, count(table)]));
}

/** SHA-256 of all files, by their paths; those of locks are left out. */
async function filesOf({ dir }: DataFolder): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('lock.db'))
    .map(({ parentPath, name }) => join(parentPath, name));
  const hashes = paths.sort().map(async (path) => {
    const bytes = await readFile(path);
    return [path, createHash('sha256').update(bytes).digest('hex')] as const;
  });
  return Object.fromEntries(await Promise.all(hashes));
}

/** An archive with another list of migrations in its header. */
async function withMigrations(archive: Buffer, migrations: readonly string[]): Promise<Buffer> {
  const members: TarMember[] = [];
  async function* pieces() {
    yield archive;
  }
  for await (const { name, sizeBytes, content } of readTar(pieces())) {
    const parts: Buffer[] = [];
    for await (const piece of content) parts.push(Buffer.from(piece));
    const isHeader = name === 'archive.json';
    const header: unknown = isHeader ? JSON.parse(Buffer.concat(parts).toString()) : null;
    members.push(
      isHeader ? jsonMember(name, { ...Object(header), migrations }) : { name, sizeBytes, content: parts },
    );
  }
  async function* all() {
    yield* members;
  }
  const written: Uint8Array[] = [];
  for await (const piece of writeTar(all())) written.push(piece);
  return Buffer.concat(written);
}
