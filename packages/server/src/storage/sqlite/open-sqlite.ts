import { Kysely } from 'kysely';
import { systemClock } from '../../core/clock.js';
import type { Database, WriteResult } from '../database.js';
import type { Schema } from '../schema.js';
import { StorageError } from '../storage-error.js';
import { checkpointUnit } from './checkpoint.js';
import { sqliteDialect } from './dialect.js';
import type { Statement, Unit } from './messages.js';
import { type DatabaseThread, startDatabaseThread } from './thread.js';
import { toSqliteValue } from './values.js';

interface SqliteOptions {
  readonly path: string;
  /** Time to wait while a program beside this one writes. */
  readonly busyTimeoutMs?: number;
  readonly onCommit?: (units: number, durationMs: number) => void;
  readonly onThreadCrashed?: (error: Error) => void;
}

const maxUnitsPerCommit = 512;
const maxUnitsWaiting = 10_000;

/** Opens a migrated database file with one writing and one reading thread. */
export async function openSqlite(options: SqliteOptions): Promise<Database> {
  const { path, busyTimeoutMs = 10_000 } = options;
  const shared = {
    data: { path, busyTimeoutMs },
    maxBatch: maxUnitsPerCommit,
    maxWaiting: maxUnitsWaiting,
    ...(options.onThreadCrashed ? { onCrash: options.onThreadCrashed } : {}),
  };
  const writer = await startDatabaseThread({
    ...shared,
    name: 'database-writer',
    entry: new URL('./writer.js', import.meta.url),
    ...(options.onCommit ? { onBatch: options.onCommit } : {}),
  });
  const reader = await startReader(shared, writer);

  const query = new Kysely<Schema>({
    dialect: sqliteDialect({
      execute: (sql, parameters) => readOne(reader, sql, parameters),
      begin: null,
    }),
  });

  return {
    query,
    clock: systemClock,
    groupsCommits: true,
    async write(statements) {
      const unit: Unit = statements.map((statement) => {
        const { sql, parameters } = statement.compile();
        return toStatement(sql, parameters);
      });
      return writer.submit(unit);
    },
    async compact() {
      await writer.submit(checkpointUnit);
    },
    isReady() {
      const writing = writer.isReady();
      return writing === true ? reader.isReady() : writing;
    },
    async close() {
      // The writer last: it folds its log into the file, which a reader would hinder.
      await reader.close();
      await writer.close();
    },
  };
}

async function startReader(
  shared: Omit<Parameters<typeof startDatabaseThread>[0], 'name' | 'entry'>,
  writer: DatabaseThread,
): Promise<DatabaseThread> {
  try {
    return await startDatabaseThread({
      ...shared,
      name: 'database-reader',
      entry: new URL('./reader.js', import.meta.url),
    });
  } catch (error) {
    await writer.close();
    throw error;
  }
}

async function readOne(
  reader: DatabaseThread,
  sql: string,
  parameters: readonly unknown[],
): Promise<WriteResult> {
  const [result] = await reader.submit([toStatement(sql, parameters)]);
  if (!result) throw new StorageError('internal', 'A read came back without a result.');
  return result;
}

/** Values are checked here too, so that the caller's stack shows who bound what, and a view never drags its buffer along. */
function toStatement(sql: string, parameters: readonly unknown[]): Statement {
  return [sql, parameters.map(toSqliteValue)];
}
