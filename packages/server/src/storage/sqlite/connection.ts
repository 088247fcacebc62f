import { closeSync, openSync } from 'node:fs';
import Libsql from 'libsql';
import type { WriteResult } from '../database.js';
import { StorageError, type StorageErrorCode } from '../storage-error.js';
import { fromColumn, toSqliteValue } from './values.js';

/** By what an error's `code` starts with: SQLite's primary result codes first. */
const byCode: readonly (readonly [prefix: string, code: StorageErrorCode])[] = [
  ['SQLITE_CONSTRAINT_UNIQUE', 'unique'],
  ['SQLITE_CONSTRAINT_PRIMARYKEY', 'unique'],
  ['SQLITE_CONSTRAINT_NOTNULL', 'not-null'],
  ['SQLITE_CONSTRAINT', 'constraint'],
  ['SQLITE_BUSY', 'busy'],
  ['SQLITE_LOCKED', 'busy'],
  ['SQLITE_FULL', 'full'],
  ['SQLITE_NOTADB', 'damaged'],
  ['SQLITE_CORRUPT', 'damaged'],
  ['SQLITE_READONLY', 'access'],
  ['SQLITE_CANTOPEN', 'access'],
  ['SQLITE_PERM', 'access'],
  ['SQLITE_IOERR', 'access'],
  // Node's own, from making the file.
  ['ENOSPC', 'full'],
  ['EACCES', 'access'],
  ['EISDIR', 'access'],
  ['ENOENT', 'access'],
  ['ENOTDIR', 'access'],
  ['EPERM', 'access'],
  ['EROFS', 'access'],
];

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

/** Turns an error of the driver into ours, with words that say what to fix. */
function explainSqliteError(error: unknown, path: string): StorageError {
  if (error instanceof StorageError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const code = classify(error, message);
  return new StorageError(code, explain(code, path, message), { cause: error });
}

function classify(error: unknown, message: string): StorageErrorCode {
  // An error on opening has no code of its own, only SQLite's number 14 in its text.
  if (message.includes('Unable to open connection')) return 'access';
  const given = error instanceof Error && 'code' in error ? String(error.code) : '';
  return byCode.find(([prefix]) => given.startsWith(prefix))?.[1] ?? 'internal';
}

function explain(code: StorageErrorCode, path: string, message: string): string {
  switch (code) {
    case 'busy':
      return `${path} is held by another program; try again when it is done.`;
    case 'full':
      return `The disk under ${path} is full; nothing was written. Make room.`;
    case 'damaged':
      return `${path} is damaged or not a database. Bring a backup back with: npm run -s lynceus -- restore FILE`;
    case 'access':
      return `${path} cannot be opened, read or written (${message}); check the folder, its owner and the disk.`;
    default:
      return message;
  }
}
