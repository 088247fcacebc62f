import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StorageError } from '../storage-error.js';
import { type Connection, openConnection } from './connection.js';

describe('values on their way into the database', () => {
  const dir = mkdtempSync(join(tmpdir(), 'lynceus-values-'));
  let connection: Connection;
  beforeAll(() => {
    connection = openConnection(join(dir, 'values.db'), { access: 'write', wal: true, busyTimeoutMs: 100 });
    connection.run('create table kept (i bigint, r real, t text, b blob)', []);
  });
  afterAll(() => {
    connection.close();
    rmSync(dir, { recursive: true });
  });

  const echo = (value: unknown) => connection.run('select ? as v', [value]).rows[0]?.['v'];
  const typeOf = (value: unknown) => connection.run('select typeof(?) as v', [value]).rows[0]?.['v'];

  test.each([
    ['a boolean, which would end the process', true, /0 or 1/],
    ['undefined, which would become NULL', undefined, /bind null/],
    ['NaN, which would become NULL', Number.NaN, /NaN/],
    ['infinity', Number.POSITIVE_INFINITY, /infinite/],
    ['text with NUL, which would be cut', 'a\0b', /NUL/],
    ['half a surrogate pair, which would be changed', 'a\ud800', /surrogate/],
    ['an integer of 2^53', 2 ** 53, /2\^53/],
    ['a bigint of 2^53', 2n ** 53n, /2\^53/],
    ['a Date', new Date(0), /getTime/],
    ['an object', { a: 1 }, /JSON/],
    ['a function', () => 1, /function/],
  ])('refuse %s', (_what, value, message) => {
    expect(() => echo(value)).toThrow(message);
    expect(() => echo(value)).toThrow(StorageError);
  });

  test('store a whole number as an integer and not as 1.0', () => {
    expect(typeOf(1)).toBe('integer');
    expect(connection.run("select '' || ? as v", [7]).rows[0]?.['v']).toBe('7');
    expect(typeOf(1.5)).toBe('real');
  });

  test('store the bytes of a view and not those around it', () => {
    const whole = new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(echo(whole.subarray(2, 4))).toEqual(new Uint8Array([3, 4]));
    expect(echo(Buffer.from('pooled'))).toEqual(new Uint8Array(Buffer.from('pooled')));
    expect(echo(new Float32Array([1, 2, 3]).subarray(1, 2))).toEqual(
      new Uint8Array(new Float32Array([2]).buffer),
    );
    expect(echo(new Uint8Array([9, 8]).buffer)).toEqual(new Uint8Array([9, 8]));
  });

  test('give bytes back in a form that can be stored again', () => {
    const bytes = echo(new Uint8Array([1, 2, 3]));
    expect(bytes).toBeInstanceOf(Uint8Array);
    expect(echo(bytes)).toEqual(bytes);
  });

  test('refuse to read an integer that JavaScript cannot hold', () => {
    expect(() => connection.run('select 9223372036854775807 as v', [])).toThrow(/2\^53/);
  });

  test('come back as they went in, through a column of their type', () => {
    const text = fc.string({ unit: 'binary' }).filter((value) => !/\0|\p{Surrogate}/u.test(value));
    fc.assert(
      fc.property(
        fc.maxSafeInteger(),
        fc.double({ noNaN: true, noDefaultInfinity: true }).filter((v) => Math.abs(v) < 2 ** 53),
        text,
        fc.uint8Array(),
        (i, r, t, b) => {
          connection.run('delete from kept', []);
          connection.run('insert into kept values (?, ?, ?, ?)', [i, r, t, b]);
          const [row] = connection.run('select * from kept', []).rows;
          expect(row).toEqual({ i: i + 0, r: r + 0, t, b });
        },
      ),
      { numRuns: 200 },
    );
  });
});
