import { join } from 'node:path';
import { Kysely, Migrator } from 'kysely';
import { sqliteTypes } from '../migrations/column-types.js';
import { type MigrationSteps, shippedSteps, toMigrations } from '../migrations/migrations.js';
import { StorageError } from '../storage-error.js';
import { copyDatabase } from './backup.js';
import { type Connection, openConnection } from './connection.js';
import { executeDialect } from './execute-dialect.js';

export interface Migrated {
  readonly applied: readonly string[];
  /** The copy made before an existing database was changed. */
  readonly backupPath: string | null;
}

/** Names of the changes that this program has and the database has not. Refuses a database that is not ours to open. */
export function pendingMigrations(
  connection: Connection,
  steps: MigrationSteps = shippedSteps,
): readonly string[] {
  const names = Object.keys(steps).sort();
  const applied = appliedMigrations(connection);
  const unknown = applied.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    throw new StorageError(
      'newer',
      `${connection.path} was made by a newer version (it has the change ${unknown.join(', ')}). Start that version, ` +
        'or go back with the backup made before the upgrade: npm run -s lynceus -- restore FILE (see the folder backups).',
    );
  }
  return names.filter((name) => !applied.includes(name));
}

/** Brings the schema up to this program's, after a backup when there is something to lose. */
export async function migrateSqlite(
  path: string,
  backupsDir: string,
  nowMs: number,
  steps: MigrationSteps = shippedSteps,
): Promise<Migrated> {
  const connection = openConnection(path, { access: 'write', wal: true, busyTimeoutMs: 10_000 });
  try {
    const pending = pendingMigrations(connection, steps);
    if (pending.length === 0) return { applied: [], backupPath: null };
    const isNew = appliedMigrations(connection).length === 0;
    const backupPath = isNew ? null : join(backupsDir, `before-${pending[0]}-${fileTime(nowMs)}.db`);
    if (backupPath) copyDatabase(connection, backupPath);
    await runMigrations(connection, steps);
    return { applied: pending, backupPath };
  } finally {
    connection.close();
  }
}

/** A time that sorts in a file name: `20260131T120000Z`. */
export function fileTime(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(/[-:]|\.\d+/g, '');
}

async function runMigrations(connection: Connection, steps: MigrationSteps): Promise<void> {
  const db = new Kysely<unknown>({
    dialect: executeDialect({
      execute: async (text, values) => connection.run(text, values),
      transactions: true,
    }),
  });
  const provider = { getMigrations: async () => toMigrations(steps, sqliteTypes) };
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  if (!error) return;
  if (error instanceof StorageError) throw error;
  throw new StorageError('internal', `The database could not be migrated: ${String(error)}`, {
    cause: error,
  });
}

function appliedMigrations(connection: Connection): readonly string[] {
  const tables = connection.run("select name from sqlite_master where type = 'table'", []).rows;
  if (tables.length === 0) return [];
  if (!tables.some((table) => table['name'] === 'kysely_migration')) {
    throw new StorageError('damaged', `${connection.path} is the database of another program.`);
  }
  const { rows } = connection.run('select name from kysely_migration order by name', []);
  return rows.map((row) => String(row['name']));
}
