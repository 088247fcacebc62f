import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readPostgresUrl } from '../../core/postgres-address.js';
import { dataFolder } from '../data-folder.js';
import { createEmptyDatabase, type TestDatabase } from '../fixtures/test-database.js';
import { shippedSteps } from '../migrations/migrations.js';
import { setMinimumVersion } from '../migrations/minimum-version.js';
import { openCommandStorage, openServiceStorage } from '../open-storage.js';
import { migratePostgres } from './migrate.js';

describe('the schema in PostgreSQL', () => {
  let dir: string;
  let testDatabase: TestDatabase;
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'lynceus-schema-'));
    testDatabase = await createEmptyDatabase();
  });
  afterEach(async () => {
    await testDatabase.drop();
    rmSync(dir, { recursive: true });
  });

  const address = (url = testDatabase.databaseUrl) => {
    const read = readPostgresUrl(url);
    if (typeof read === 'string') throw new Error(read);
    return read;
  };
  const execute = async (statement: string, url = testDatabase.databaseUrl) => {
    const client = new Client(url);
    await client.connect();
    const { rows } = await client.query(statement);
    await client.end();
    return rows;
  };
  const openService = (name = 'a') =>
    openServiceStorage(dataFolder(join(dir, name)), { ...testDatabase, joinInstallation: true });
  const openCommand = () => openCommandStorage(dataFolder(join(dir, 'command')), testDatabase);
  const nextStep = {
    ...shippedSteps,
    '9998-next': (db: Kysely<unknown>) => db.schema.createTable('next').addColumn('a', 'bigint').execute(),
  };

  test('is made once when several services start at the same moment', async () => {
    const services = await Promise.all(['a', 'b', 'c', 'd'].map(openService));
    const applied = services.map(({ migrated }) => migrated.applied.length).filter((count) => count > 0);
    expect(applied).toEqual([Object.keys(shippedSteps).length]);
    const again = await openCommand();
    expect(again.migrated.applied).toEqual([]);
    for (const { close } of [...services, again]) await close();
  });

  test('of a newer version is refused with the way back', async () => {
    await (await openService()).close();
    await execute("insert into kysely_migration (name, timestamp) values ('9999-future', '2099')");
    await expect(openService()).rejects.toThrow(/newer version.*9999-future.*pg_restore/);
    await expect(openCommand()).rejects.toMatchObject({ code: 'newer' });
  });

  test('that the last steps leave may be used by the version before them, which can start again amid an upgrade', async () => {
    await migratePostgres(address(), true);
    const older = Object.fromEntries(Object.entries(shippedSteps).slice(0, -1));
    const { applied } = await migratePostgres(address(), true, { steps: older, version: '0.1.0' });
    expect(applied).toEqual([]);
    const first = migratePostgres(address(), true, { steps: older, version: '0.0.9' });
    await expect(first).rejects.toThrow(/needs version 0.1.0 of Lynceus or newer/);
  });

  test('of a newer version is used by an older one as long as the minimum version allows it', async () => {
    const version = '1.4.0';
    await migratePostgres(address(), true);
    await migratePostgres(address(), true, {
      steps: { ...shippedSteps, '9998-expand': (db) => setMinimumVersion(db, '1.4.0') },
    });
    expect((await migratePostgres(address(), true, { version })).applied).toEqual([]);
    const older = migratePostgres(address(), true, { version: '1.3.9' });
    await expect(older).rejects.toThrow(/needs version 1.4.0 of Lynceus or newer, and this is 1.3.9/);
    await migratePostgres(address(), true, {
      steps: {
        ...shippedSteps,
        '9998-expand': (db) => setMinimumVersion(db, '1.4.0'),
        '9999-contract': (db) => setMinimumVersion(db, '1.5.0'),
      },
    });
    await expect(migratePostgres(address(), true, { version })).rejects.toMatchObject({ code: 'newer' });
    const service = openServiceStorage(dataFolder(join(dir, 'a')), {
      ...testDatabase,
      joinInstallation: true,
      version,
    });
    await expect(service).rejects.toThrow(/needs version 1.5.0/);
    const newer = await openServiceStorage(dataFolder(join(dir, 'a')), {
      ...testDatabase,
      joinInstallation: true,
      version: '1.5.0',
    });
    await newer.close();
  });

  test('of another program is left alone', async () => {
    await execute('create table theirs (x text)');
    await expect(openService()).rejects.toThrow(/another program/);
    expect(await execute("select tablename from pg_tables where schemaname = 'public'")).toEqual([
      { tablename: 'theirs' },
    ]);
  });

  test('is upgraded by a service, and never by a command', async () => {
    await migratePostgres(address(), true);
    await expect(migratePostgres(address(), false, { steps: nextStep })).rejects.toThrow(
      /older than this command/,
    );
    expect((await migratePostgres(address(), true, { steps: nextStep })).applied).toEqual(['9998-next']);
    expect((await migratePostgres(address(), false, { steps: nextStep })).applied).toEqual([]);
  });

  test('is as it was after an upgrade that failed half-way', async () => {
    await migratePostgres(address(), true);
    const failing = {
      ...shippedSteps,
      '9998-next': async (db: Kysely<unknown>) => {
        await sql`drop table analysis`.execute(db);
        throw new Error('half-way');
      },
    };
    await expect(migratePostgres(address(), true, { steps: failing })).rejects.toThrow(
      /could not be migrated.*half-way/,
    );
    const { database, close } = await openService();
    expect(await database.query.selectFrom('analysis').selectAll().execute()).toEqual([]);
    await close();
  });

  test('is refused in a database that cannot keep every text', async () => {
    const name = `${address().database}_latin1`;
    await execute(
      `create database ${name} template template0 encoding latin1 locale 'C' locale_provider libc`,
    );
    try {
      const url = new URL(testDatabase.databaseUrl);
      url.pathname = `/${name}`;
      await expect(migratePostgres(address(url.href), true)).rejects.toThrow(
        /encoding LATIN1.*createdb -E UTF8/,
      );
    } finally {
      await execute(`drop database ${name}`);
    }
  });

  test('is not made by a user without the right to', async () => {
    const role = `${address().database}_guest`;
    await execute(`create role ${role} login password 'guest-secret'`);
    try {
      const url = Object.assign(new URL(testDatabase.databaseUrl), {
        username: role,
        password: 'guest-secret',
      });
      await expect(migratePostgres(address(url.href), true)).rejects.toThrow(/lacks a right.*owner/);
    } finally {
      await execute(`drop role ${role}`);
    }
  });
});
