import type { DataFolder } from '../data-folder.js';
import { type FolderLock, lockDataFolder } from '../folder-lock.js';
import type { Migrated } from '../migrations/run-migrations.js';
import { StorageError } from '../storage-error.js';
import { openConnection } from './connection.js';
import { migrateSqlite, pendingMigrations } from './migrate.js';

/** Migrates for a command, which never changes the schema under a running service of an older version. */
export async function migrateUnlessServed(folder: DataFolder): Promise<Migrated> {
  const none: Migrated = { applied: [], backupPath: null };
  if (!hasPending(folder)) return none;
  const lock = await lockUnlessServed(folder);
  // A service that was just starting has migrated it meanwhile.
  if (!lock) return none;
  try {
    return await migrateSqlite(folder.databasePath, folder.backupsDir, Date.now());
  } finally {
    lock.release();
  }
}

async function lockUnlessServed(folder: DataFolder): Promise<FolderLock | null> {
  try {
    return await lockDataFolder(folder, 5000);
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== 'locked') throw error;
    if (!hasPending(folder)) return null;
    throw new StorageError(
      'locked',
      `The service running on ${folder.dir} is older than this command; stop it, or use its own version.`,
      { cause: error },
    );
  }
}

function hasPending(folder: DataFolder): boolean {
  const connection = openConnection(folder.databasePath, {
    access: 'write',
    wal: false,
    busyTimeoutMs: 10_000,
  });
  try {
    return pendingMigrations(connection).length > 0;
  } finally {
    connection.close();
  }
}
