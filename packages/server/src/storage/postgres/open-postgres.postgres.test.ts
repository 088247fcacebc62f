import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readPostgresUrl } from '../../core/postgres-address.js';
import type { Database } from '../database.js';
import { type CuttableProxy, startCuttableProxy } from '../fixtures/cuttable-proxy.js';
import { createEmptyDatabase, type TestDatabase } from '../fixtures/test-database.js';
import { openPostgres, type PostgresOptions } from './open-postgres.js';

describe('a database in PostgreSQL', () => {
  let testDatabase: TestDatabase;
  let proxy: CuttableProxy;
  let database: Database;
  let options: PostgresOptions;
  beforeEach(async () => {
    testDatabase = await createEmptyDatabase();
    const address = readPostgresUrl(testDatabase.databaseUrl);
    if (typeof address === 'string') throw new Error(address);
    proxy = await startCuttableProxy(address.port);
    options = { address: { ...address, port: proxy.port }, connections: 6 };
    database = await openPostgres(options);
    await write(
      'create table t (id text primary key, n bigint not null check (n >= 0), other text references t)',
    );
  });
  afterEach(async () => {
    await database.close();
    await proxy.stop();
    await testDatabase.drop();
  });

  const write = (...statements: readonly string[]) =>
    database.write(statements.map((text) => ({ compile: () => sql.raw(text).compile(database.query) })));
  const read = async (text: string) =>
    (await sql.raw<{ v: unknown }>(text).execute(database.query)).rows[0]?.v;

  test.each([
    ["insert into t values ('a', 1), ('a', 2)", 'unique', /duplicate key/],
    ["insert into t values ('a', null)", 'not-null', /null value/],
    ["insert into t values ('a', -1)", 'constraint', /check constraint/],
    ["insert into t values ('a', 1, 'nobody')", 'constraint', /foreign key/],
    ["insert into t values ('a', 'one')", 'value', /invalid input/],
    ['select * from nowhere', 'internal', /nowhere/],
    ['select pg_read_file(null, 1, 2, 3)', 'internal', /pg_read_file/],
  ])('refuses %s as %s', async (statement, code, message) => {
    await expect(write("insert into t values ('first', 0)", statement)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
    // Undone, all of it.
    expect(await read('select count(*) as v from t')).toBe(0);
    await write("insert into t values ('a', 1)");
  });

  test('has the clock of the server, whatever the clock of this machine shows', async () => {
    // On a busy machine a round trip takes its time; the clock is twenty minutes off.
    const roundTripMs = 5000;
    const milliseconds = '(extract(epoch from clock_timestamp()) * 1000)::double precision';
    expect(Math.abs(database.clock() - Number(await read(`select ${milliseconds} as v`)))).toBeLessThan(
      roundTripMs,
    );
    vi.useFakeTimers({ now: Date.now() + 20 * 60_000, toFake: ['Date'] });
    try {
      expect(Math.abs(database.clock() - Number(await read(`select ${milliseconds} as v`)))).toBeLessThan(
        roundTripMs,
      );
    } finally {
      vi.useRealTimers();
    }
  });

  test('promises what it promises whatever the defaults of the server are', async () => {
    const [durable, isolation] = await write('show synchronous_commit', 'show transaction_isolation');
    expect([durable?.rows, isolation?.rows]).toEqual([
      [{ synchronous_commit: 'on' }],
      [{ transaction_isolation: 'read committed' }],
    ]);
    // The server of the tests has others.
    expect(
      await read("select reset_val as v from pg_settings where name = 'default_transaction_isolation'"),
    ).toBe('serializable');
  });

  test('a unit whose connection is cut on the way is done once all the same', async () => {
    proxy.cutAfter("insert into t values ('cut'");
    await write("insert into t values ('cut', 1)");
    expect(await read('select count(*) as v from t')).toBe(1);
  });

  test('a unit whose connection is cut at its commit is reported as lost, and is not executed twice', async () => {
    proxy.cutAfter('COMMIT\0');
    await expect(write("insert into t values ('x', 1)")).rejects.toMatchObject({
      code: 'lost',
      message: expect.stringMatching(/on disk or not/),
    });
    await expect.poll(() => read('select count(*) as v from t')).toBe(1);
    await write("insert into t values ('y', 1)");
  });

  test('a read whose connection is cut is read again', async () => {
    proxy.cutAfter('select 42');
    expect(await read('select 42 as v')).toBe(42);
  });

  test('says while the server is away that it is, and is ready by itself when it is back', async () => {
    expect(database.isReady()).toBe(true);
    proxy.close();
    await expect(write("insert into t values ('a', 1)")).rejects.toMatchObject({ code: 'busy' });
    expect(database.isReady()).toEqual({
      degraded: expect.stringMatching(/PostgreSQL.*(cannot be reached|terminated)/),
    });
    await expect(read('select 1 as v')).rejects.toMatchObject({ code: 'busy' });
    proxy.open();
    await expect.poll(() => database.isReady(), { timeout: 120_000 }).toBe(true);
    await write("insert into t values ('a', 1)");
    expect(await read('select count(*) as v from t')).toBe(1);
  });

  test('notices that the server is away without being asked anything', async () => {
    proxy.close();
    await expect
      .poll(() => database.isReady(), { timeout: 120_000 })
      .toEqual({ degraded: expect.stringMatching(/PostgreSQL/) });
  });

  test('is degraded for a short absence of the server, and not ready in a longer one', async () => {
    const impatient = await openPostgres({ ...options, awayGraceMs: 700 });
    try {
      proxy.close();
      await expect
        .poll(() => impatient.isReady(), { timeout: 120_000 })
        .toEqual({
          degraded: expect.stringMatching(/PostgreSQL/),
        });
      await expect.poll(() => impatient.isReady(), { timeout: 120_000 }).toMatch(/PostgreSQL/);
      proxy.open();
      await expect.poll(() => impatient.isReady(), { timeout: 120_000 }).toBe(true);
    } finally {
      proxy.open();
      await impatient.close();
    }
  });

  test('units in each other’s way both succeed', async () => {
    await write("insert into t values ('a', 0), ('b', 0)");
    const add = (first: string, second: string) =>
      write(
        `update t set n = n + 1 where id = '${first}'`,
        'select pg_sleep(0.1)',
        `update t set n = n + 1 where id = '${second}'`,
      );
    await Promise.all([add('a', 'b'), add('b', 'a')]);
    expect(await read('select sum(n) as v from t')).toBe(4);
  });

  test('units in turn see what the one before them did', async () => {
    const addUnlessFull = () =>
      database.write(
        [sql`insert into t select ${Math.random().toString()}, 1 where (select count(*) from t) < 3`].map(
          (statement) => ({ compile: () => statement.compile(database.query) }),
        ),
        { isSerialized: true },
      );
    await Promise.all(Array.from({ length: 20 }, addUnlessFull));
    expect(await read('select count(*) as v from t')).toBe(3);
  });

  test('refuses at once what it could not answer in time', async () => {
    const reads = Array.from({ length: 10_000 }, () => read('select 1 as v').catch(() => null));
    await expect(read('select 2 as v')).rejects.toMatchObject({ code: 'overloaded' });
    await Promise.all(reads);
    expect(await read('select 2 as v')).toBe(2);
  });

  test('finishes what was asked for before it closes', async () => {
    const writing = write("insert into t values ('late', 1)", 'select pg_sleep(0.2)');
    await sleep(50);
    await database.close();
    await expect(writing).resolves.toHaveLength(2);
    await expect(write('select 1')).rejects.toMatchObject({ code: 'closed' });
    expect(database.isReady()).toMatch(/closed/);
  });
});
