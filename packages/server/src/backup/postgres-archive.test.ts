import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openCommandStorage } from '../storage/open-storage.js';
import { backUp, outsideOf, restoreFrom } from './fixtures/archiving.js';
import { type FilledFolder, openFolder } from './fixtures/filled-folder.js';

describe('an archive of a PostgreSQL database', () => {
  let here: FilledFolder;
  beforeEach(async () => {
    here = await openFolder();
    await here.fill('one');
  });
  afterEach(() => here.drop());

  const run = async (sql: string) => {
    const client = new Client(here.testDatabase.databaseUrl);
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };

  test('is of one moment: rows that come while it is made are in neither half', async () => {
    const before = await here.state();
    const { path } = await backUp(here, 'archive.tar', {
      async write(pieces) {
        await here.fill('late');
        const { writeNewFile } = await import('./new-file.js');
        await writeNewFile(join(here.dir, 'archive.tar'), pieces, 0);
      },
    });
    await restoreFrom(here, createReadStream(path));
    expect(await here.state()).toEqual(before);
  });

  test('takes the place of tables of a newer version', async () => {
    const before = await here.state();
    const { path } = await backUp(here);
    await run('create table newer (account_id bigint references account(id)); insert into newer values (1)');
    await run("create function of_newer() returns int language sql as 'select 1'");
    await run("insert into kysely_migration (name, timestamp) values ('9999-newer', 'now')");
    await restoreFrom(here, createReadStream(path));
    expect(await here.state()).toEqual(before);
    await run('create table newer (a int)');
    await run("create function of_newer() returns int language sql as 'select 1'");
  });

  test('that pg_restore refuses leaves the database and the files as they were', async () => {
    const { path } = await backUp(here);
    await here.fill('two');
    const before = await here.state();
    const outside = outsideOf(here.folder, here.testDatabase);
    if (outside === null) throw new Error('no database');
    let attempts = 0;
    const failing = {
      ...outside,
      async finish(): Promise<void> {
        attempts += 1;
        await run('drop table face_image cascade');
        throw new Error('refused');
      },
    };
    await expect(restoreFrom(here, createReadStream(path), { outside: failing })).rejects.toThrow('refused');
    expect([attempts, await here.state()]).toEqual([1, before]);
    expect(existsSync(here.folder.restoreMarkerPath)).toBe(false);
  });

  test('is not restored beside another service, nor over the tables of another program', async () => {
    const { path } = await backUp(here);
    const other = await openCommandStorage(here.folder, here.testDatabase);
    await other.database.query.selectFrom('account').select('id').execute();
    await expect(restoreFrom(here, createReadStream(path))).rejects.toThrow(/connections of services/);
    await other.close();
    await run('drop table kysely_migration');
    await expect(restoreFrom(here, createReadStream(path))).rejects.toThrow(/another program/);
  });

  test('has nothing of its password', async () => {
    const { path } = await backUp(here);
    const { password } = new URL(here.testDatabase.databaseUrl);
    const bytes = readFileSync(path);
    expect(bytes.includes(password) || bytes.includes(decodeURIComponent(password))).toBe(false);
  });
});
