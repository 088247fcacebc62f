import { closeSync, openSync } from 'node:fs';
import Libsql from 'libsql';
import type { WriteResult } from '../database.js';
import { StorageError } from '../storage-error.js';
import { explainSqliteError } from './explain.js';
import { fromColumn, toSqliteValue } from './values.js';

const cachedStatements = 256;

/**
 * The one place that touches libsql. Every value passes `toSqliteValue` on its way in and `fromColumn` on its way out,
 * and every error becomes a `StorageError`. Synchronous: it belongs into a worker thread or a command.
 */
export interface Connection {
  readonly path: string;
  run(sql: string, parameters: readonly unknown[]): WriteResult;
  inTransaction(): boolean;
  close(): void;
}

export interface ConnectionOptions {
  /** Whole milliseconds to wait while another program holds the database. */
  readonly busyTimeoutMs: number;
  readonly access: 'write' | 'read';
  /** Off for files that are only looked at, or whose journal must stay as it is. */
  readonly wal: boolean;
}

export function openConnection(path: string, options: ConnectionOptions): Connection {
  let raw: Libsql.Database;
  try {
    if (options.access === 'write') createForOwner(path);
    raw = new Libsql(path);
  } catch (error) {
    throw explainSqliteError(error, path);
  }
  const statements = new Map<string, Libsql.Statement>();

  /** Prepared statements by their text, the least recently used one dropped first. */
  const prepare = (sql: string): Libsql.Statement => {
    const known = statements.get(sql);
    if (known) statements.delete(sql);
    const statement = known ?? raw.prepare(sql);
    statements.set(sql, statement);
    if (statements.size > cachedStatements) {
      const oldest = statements.keys().next();
      if (!oldest.done) statements.delete(oldest.value);
    }
    return statement;
  };

  const connection: Connection = {
    path,
    run(sql, parameters) {
      const values = parameters.map(toSqliteValue);
      try {
        const statement = prepare(sql);
        if (!statement.reader) return { rows: [], changes: statement.run(values).changes };
        const rows = statement.all(values).map(readRow);
        return { rows, changes: rows.length };
      } catch (error) {
        throw explainSqliteError(error, path);
      }
    },
    inTransaction: () => raw.inTransaction,
    close() {
      statements.clear();
      // libsql keeps a closed connection, and its locks, until the collector has met its last statement.
      if (raw.inTransaction) raw.exec('ROLLBACK');
      raw.close();
    },
  };

  try {
    configure(connection, options);
  } catch (error) {
    connection.close();
    throw error;
  }
  return connection;
}

/**
 * SQLite gives its log and index the mode of the database: for its owner alone, whatever the folder allows. A file
 * that exists is never opened here: closing it would free, by POSIX's rules, the locks of every connection that this
 * process has on it, and another process would then take itself for the last user and delete the log.
 */
function createForOwner(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

function configure(connection: Connection, options: ConnectionOptions): void {
  connection.run(`PRAGMA busy_timeout = ${Math.trunc(options.busyTimeoutMs)}`, []);
  connection.run('PRAGMA trusted_schema = OFF', []);
  connection.run('PRAGMA foreign_keys = ON', []);
  if (options.wal) {
    const mode = connection.run('PRAGMA journal_mode = WAL', []).rows[0]?.['journal_mode'];
    if (mode !== 'wal') {
      throw new StorageError(
        'access',
        `${connection.path} is on a file system without shared memory for SQLite's WAL; put the data folder on a local disk.`,
      );
    }
    // An acknowledged write survives the loss of power: the log is synced at every commit.
    connection.run('PRAGMA synchronous = FULL', []);
    // What is deleted, faces above all, is overwritten and not just forgotten where it lies.
    connection.run('PRAGMA secure_delete = ON', []);
  }
  // libsql has no read-only open.
  if (options.access === 'read') connection.run('PRAGMA query_only = ON', []);
}

function readRow(row: unknown): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  if (typeof row !== 'object' || row === null) return out;
  for (const [name, value] of Object.entries(row)) out[name] = fromColumn(value);
  return out;
}
