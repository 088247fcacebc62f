import { type DataFolder, prepareDataFolder } from './data-folder.js';
import type { Database } from './database.js';
import { lockDataFolder } from './folder-lock.js';
import type { Migrated } from './migrations/run-migrations.js';
import { type PostgresAddress, readPostgresUrl } from './postgres/address.js';
import { migratePostgres } from './postgres/migrate.js';
import { openPostgres } from './postgres/open-postgres.js';
import { removeLeftovers } from './restore/leftovers.js';
import { refuseDuringRestore } from './restore/restore-marker.js';
import { migrateUnlessServed } from './sqlite/command-migration.js';
import { migrateSqlite } from './sqlite/migrate.js';
import { openSqlite } from './sqlite/open-sqlite.js';
import { StorageError } from './storage-error.js';

export interface Storage {
  readonly folder: DataFolder;
  readonly database: Database;
  readonly migrated: Migrated;
  close(): Promise<void>;
}

export interface StorageOptions {
  /** Address of a PostgreSQL database; empty or absent: SQLite in the data folder. */
  readonly databaseUrl?: string;
  /** Connections to PostgreSQL at most. */
  readonly databaseConnections?: number;
  readonly onCommit?: (units: number, durationMs: number) => void;
  /** Of SQLite, whose threads may be lost. */
  readonly onThreadLost?: (error: Error) => void;
}

const serviceConnections = 10;
const commandConnections = 2;

/** Opens the database for the one service of a data folder, and holds the folder until it is closed. */
export async function openServiceStorage(folder: DataFolder, options: StorageOptions = {}): Promise<Storage> {
  prepareDataFolder(folder);
  const lock = await lockDataFolder(folder, 1000);
  try {
    await refuseDuringRestore(folder);
    await removeLeftovers(folder);
    const { database, migrated } = await openForService(folder, options);
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
export async function openCommandStorage(folder: DataFolder, options: StorageOptions = {}): Promise<Storage> {
  prepareDataFolder(folder);
  await refuseDuringRestore(folder);
  const address = addressOf(options);
  if (address) {
    const migrated = await migratePostgres(address, false);
    const database = openPostgres({ address, connections: commandConnections });
    return { folder, database, migrated, close: () => database.close() };
  }
  const migrated = await migrateUnlessServed(folder);
  const database = await openSqlite({ path: folder.databasePath });
  return { folder, database, migrated, close: () => database.close() };
}

async function openForService(
  folder: DataFolder,
  options: StorageOptions,
): Promise<Pick<Storage, 'database' | 'migrated'>> {
  const { databaseConnections = serviceConnections, onCommit, onThreadLost } = options;
  const watchers = { ...(onCommit ? { onCommit } : {}), ...(onThreadLost ? { onThreadLost } : {}) };
  const address = addressOf(options);
  if (address) {
    const migrated = await migratePostgres(address, true);
    const database = openPostgres({ address, connections: databaseConnections, ...watchers });
    return { database, migrated };
  }
  const migrated = await migrateSqlite(folder.databasePath, folder.backupsDir, Date.now());
  return { migrated, database: await openSqlite({ path: folder.databasePath, ...watchers }) };
}

/** Null for SQLite. */
export function addressOf({ databaseUrl = '' }: Pick<StorageOptions, 'databaseUrl'>): PostgresAddress | null {
  if (databaseUrl === '') return null;
  const address = readPostgresUrl(databaseUrl);
  if (typeof address === 'string') throw new StorageError('access', `The setting databaseUrl ${address}.`);
  return address;
}
