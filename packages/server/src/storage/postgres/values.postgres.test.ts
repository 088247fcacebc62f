import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readPostgresUrl } from '../../core/postgres-address.js';
import type { Database } from '../database.js';
import { createEmptyDatabase, type TestDatabase } from '../fixtures/test-database.js';
import { openPostgres } from './open-postgres.js';

describe('values through PostgreSQL', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    testDatabase = await createEmptyDatabase();
    const address = readPostgresUrl(testDatabase.databaseUrl);
    if (typeof address === 'string') throw new Error(address);
    database = await openPostgres({ address, connections: 2 });
    await write(sql`create table kept (i bigint, r double precision, t text, b bytea)`);
  });
  afterAll(async () => {
    await database.close();
    await testDatabase.drop();
  });

  const write = (...statements: ReturnType<typeof sql>[]) =>
    database.write(statements.map((statement) => ({ compile: () => statement.compile(database.query) })));
  const read = async (expression: ReturnType<typeof sql>) => {
    const { rows } = await sql<{ v: unknown }>`select ${expression} as v`.execute(database.query);
    return rows[0]?.v;
  };

  test.each([
    ['a boolean', true, /0 or 1/],
    ['undefined', undefined, /bind null/],
    ['NaN', Number.NaN, /NaN/],
    ['infinity', Number.POSITIVE_INFINITY, /infinite/],
    ['text with NUL', 'a\0b', /NUL/],
    ['half a surrogate pair', 'a\ud800', /surrogate/],
    ['an integer of 2^53', 2 ** 53, /2\^53/],
    ['a bigint of 2^53', 2n ** 53n, /2\^53/],
    ['a Date', new Date(0), /getTime/],
    ['an object', { a: 1 }, /JSON/],
  ])('refuse %s, which it would change or SQLite would', async (_what, value, message) => {
    await expect(write(sql`insert into kept (t) values (${value})`)).rejects.toMatchObject({
      code: 'value',
      message: expect.stringMatching(message),
    });
    await expect(read(sql`${value}`)).rejects.toMatchObject({ code: 'value' });
  });

  test('come back as they went in, through a column of their type', async () => {
    const text = fc.string({ unit: 'binary' }).filter((value) => !/\0|\p{Surrogate}/u.test(value));
    const number = fc.double({ noNaN: true, noDefaultInfinity: true }).filter((v) => Math.abs(v) < 2 ** 53);
    await fc.assert(
      fc.asyncProperty(fc.maxSafeInteger(), number, text, fc.uint8Array(), async (i, r, t, b) => {
        const view = new Uint8Array([9, ...b, 9]).subarray(1, b.length + 1);
        const [, result] = await write(
          sql`delete from kept`,
          sql`insert into kept values (${i}, ${r}, ${t}, ${view}) returning *`,
        );
        const row = { i: i + 0, r: r + 0, t, b };
        expect(result).toEqual({ rows: [row], changes: 1 });
        const { rows } = await sql`select * from kept`.execute(database.query);
        expect(rows).toEqual([row]);
      }),
      { numRuns: 100 },
    );
  });

  test('give bytes a buffer of their own', async () => {
    const bytes = await read(sql`'\\x010203'::bytea`);
    expect(bytes).toEqual(new Uint8Array([1, 2, 3]));
    expect(bytes instanceof Uint8Array && bytes.buffer.byteLength).toBe(3);
  });

  test('count, sum and compare as in SQLite', async () => {
    await write(sql`delete from kept`, sql`insert into kept (i) values (3), (4)`);
    const { rows } =
      await sql`select count(*) as n, sum(i) as s, max(i) > 3 as more, avg(i)::float8 as a from kept`.execute(
        database.query,
      );
    expect(rows).toEqual([{ n: 2, s: 7, more: 1, a: 3.5 }]);
    expect(await read(sql`(select sum(i) from kept where i > 9)`)).toBeNull();
  });

  test.each([
    ['9223372036854775807', /2\^53/],
    ['(9007199254740991::bigint + 1)', /2\^53/],
    ["'123456789012345678901234567890'::numeric", /2\^53/],
    ['(1::numeric / 3)', /cast it/],
    ["'NaN'::numeric", /cast it/],
    ["'2026-01-01'::timestamp", /type 1114/],
    ["'{}'::jsonb", /type 3802/],
  ])('refuse to read %s, which would lose something', async (expression, message) => {
    await expect(read(sql.raw(expression))).rejects.toMatchObject({
      code: 'value',
      message: expect.stringMatching(message),
    });
    // The connection is as good as before.
    expect(await read(sql`1`)).toBe(1);
  });
});
