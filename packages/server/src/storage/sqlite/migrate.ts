import { join } from 'node:path';
import { sqliteTypes } from '../migrations/column-types.js';
import { type MigrationSteps, shippedSteps } from '../migrations/migrations.js';
import { newestOf, shownVersion } from '../migrations/newest-version.js';
import { refuseBefore } from '../migrations/refuse-before.js';
import { type Migrated, pendingSteps, runMigrations } from '../migrations/run-migrations.js';
import { StorageError } from '../storage-error.js';
import { copyDatabase } from './backup.js';
import { type Connection, openConnection } from './connection.js';
import { sqliteDialect } from './dialect.js';

/**
 * Names of the changes that this program has and the database has not. Refuses a database that is not ours to open.
 * @param version of this program
 */
export function pendingMigrations(
  connection: Connection,
  steps: MigrationSteps = shippedSteps,
  version?: string,
): readonly string[] {
  const applied = appliedMigrations(connection);
  return pendingSteps(
    steps,
    applied,
    (unknown) =>
      `${connection.path} was changed by ${shownVersion(newestVersion(connection, applied), version)} (it has the change ${unknown}). ` +
      'Nothing was changed now. Start that version, ' +
      'or go back with the backup made before the upgrade: npm run -s lynceus -- restore FILE (see the folder backups).',
  );
}

function newestVersion(connection: Connection, applied: readonly string[]): string | null {
  if (applied.length === 0) return null;
  const { rows } = connection.run('select version from data_folder where version is not null', []);
  return newestOf(rows.map((row) => String(row['version'])));
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
    const dialect = sqliteDialect({
      execute: async (text, values) => connection.run(text, values),
      begin: 'BEGIN IMMEDIATE',
    });
    await runMigrations(dialect, steps, sqliteTypes, { isNew });
    return { applied: pending, backupPath };
  } finally {
    connection.close();
  }
}

/** A time that sorts in a file name: `20260131T120000Z`. */
export function fileTime(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(/[-:]|\.\d+/g, '');
}

/** Names of the changes that a database has; none where it is new. Refuses another program's. */
export function appliedMigrations(connection: Connection): readonly string[] {
  const tables = connection.run("select name from sqlite_master where type = 'table'", []).rows;
  if (tables.length === 0) return [];
  if (!tables.some((table) => table['name'] === 'kysely_migration')) {
    throw new StorageError('damaged', `${connection.path} is the database of another program.`);
  }
  const { rows } = connection.run('select name from kysely_migration order by name', []);
  const applied = rows.map((row) => String(row['name']));
  refuseBefore(applied, `The database ${connection.path}`);
  return applied;
}
