import { type DataFolder, prepareDataFolder } from './data-folder.js';
import type { Database } from './database.js';
import { type FolderLock, lockDataFolder } from './folder-lock.js';
import { openConnection } from './sqlite/connection.js';
import { type Migrated, migrateSqlite, pendingMigrations } from './sqlite/migrate.js';
import { openSqlite, type SqliteOptions } from './sqlite/open-sqlite.js';
import { StorageError } from './storage-error.js';

export interface Storage {
  readonly folder: DataFolder;
  readonly database: Database;
  readonly migrated: Migrated;
  close(): Promise<void>;
}

type Watchers = Pick<SqliteOptions, 'onCommit' | 'onThreadLost'>;

/** Opens the database for the one service of a data folder, and holds the folder until it is closed. */
export async function openServiceStorage(folder: DataFolder, watchers: Watchers = {}): Promise<Storage> {
  prepareDataFolder(folder);
  const lock = await lockDataFolder(folder, 1000);
  try {
    const migrated = await migrateSqlite(folder.databasePath, folder.backupsDir, Date.now());
    const database = await openSqlite({ path: folder.databasePath, ...watchers });
    return {
      folder,
      database,
      migrated,
      async close() {
        await database.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Opens the database for a command, beside a running service or without one. */
export async function openCommandStorage(folder: DataFolder): Promise<Storage> {
  prepareDataFolder(folder);
  const migrated = await migrateUnlessServed(folder);
  const database = await openSqlite({ path: folder.databasePath });
  return { folder, database, migrated, close: () => database.close() };
}

/** A command never changes the schema under a running service of an older version. */
async function migrateUnlessServed(folder: DataFolder): Promise<Migrated> {
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
