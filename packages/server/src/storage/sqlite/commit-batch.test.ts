import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commitBatch } from './commit-batch.js';
import { type Connection, openConnection } from './connection.js';
import { isFailure } from './messages.js';

describe('a commit shared by many callers', () => {
  let dir: string;
  let connection: Connection;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'lynceus-commit-'));
    connection = openConnection(join(dir, 'commit.db'), { access: 'write', wal: true, busyTimeoutMs: 100 });
    connection.run('create table note (id integer primary key, text text not null)', []);
  });
  afterEach(() => {
    connection.close();
    rmSync(dir, { recursive: true });
  });
  const insert = (id: number, text: string | null) =>
    ['insert into note (id, text) values (?, ?)', [id, text]] as const;
  const ids = () => connection.run('select id from note order by id', []).rows.map((row) => row['id']);

  test('undoes a failing unit whole and keeps the others', () => {
    const outcomes = commitBatch(connection, [
      [insert(1, 'a')],
      [insert(2, 'b'), insert(1, 'again')],
      [insert(3, null)],
      [insert(4, 'd'), insert(5, 'e')],
    ]);
    expect(outcomes.map((outcome) => (isFailure(outcome) ? outcome.code : 'kept'))).toEqual([
      'kept',
      'unique',
      'not-null',
      'kept',
    ]);
    expect(ids()).toEqual([1, 4, 5]);
    expect(connection.inTransaction()).toBe(false);
  });

  test('tells wrong SQL apart and goes on', () => {
    const [wrong, right] = commitBatch(connection, [[['selec', []]], [insert(1, 'a')]]);
    expect(wrong).toMatchObject({ code: 'internal' });
    expect(right).toHaveLength(1);
    expect(ids()).toEqual([1]);
  });

  test('rejects every unit when the disk is full, and works again when there is room', () => {
    connection.run('PRAGMA max_page_count = 4', []);
    const big = 'x'.repeat(100_000);
    const outcomes = commitBatch(connection, [[insert(1, big)], [insert(2, big)]]);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ code: 'full' });
    expect(ids()).toEqual([]);
    connection.run('PRAGMA max_page_count = 100000', []);
    expect(commitBatch(connection, [[insert(1, big)]])[0]).toHaveLength(1);
    expect(ids()).toEqual([1]);
  });

  test('rejects every unit when another program holds the database too long', () => {
    const other = openConnection(connection.path, { access: 'write', wal: true, busyTimeoutMs: 100 });
    other.run('BEGIN IMMEDIATE', []);
    expect(commitBatch(connection, [[insert(1, 'a')]])).toMatchObject([{ code: 'busy' }]);
    other.run('ROLLBACK', []);
    expect(commitBatch(connection, [[insert(1, 'a')]])[0]).toHaveLength(1);
    other.close();
  });
});
