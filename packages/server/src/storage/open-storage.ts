import { Kysely } from 'kysely';
import { describeAddress, type PostgresAddress, readPostgresUrl } from '../core/postgres-address.js';
import { type DataFolder, prepareDataFolder } from './data-folder.js';
import type { Database } from './database.js';
import type { ExecuteSql } from './execute-driver.js';
import { lockDataFolder } from './folder-lock.js';
import { establishPair } from './identity/establish-pair.js';
import {
  type DatabaseLocation,
  type LookAtDatabase,
  requirePair,
  requirePairForCommand,
} from './identity/look-at-pair.js';
import { rememberVersion } from './identity/remember-version.js';
import { createRunningPair, type RunningPair } from './identity/running-pair.js';
import { requireVersion } from './migrations/minimum-version.js';
import type { Migrated } from './migrations/run-migrations.js';
import { makeClient } from './postgres/connect.js';
import { postgresDialect } from './postgres/dialect.js';
import { explainPostgresError } from './postgres/explain.js';
import { appliedSteps, migratePostgres } from './postgres/migrate.js';
import { openPostgres } from './postgres/open-postgres.js';
import { removeLeftovers } from './restore/leftovers.js';
import { refuseDuringRestore } from './restore/restore-marker.js';
import type { Schema } from './schema.js';
import { migrateUnlessServed } from './sqlite/command-migration.js';
import { lookAtSqlite } from './sqlite/look-at-sqlite.js';
import { migrateSqlite } from './sqlite/migrate.js';
import { openSqlite } from './sqlite/open-sqlite.js';
import { StorageError } from './storage-error.js';

export interface Storage {
  readonly folder: DataFolder;
  readonly database: Database;
  readonly migrated: Migrated;
  close(): Promise<void>;
}

export interface ServiceStorage extends Storage {
  /** That the folder and the database belong together. */
  readonly pair: RunningPair;
  /** A newer version than this one that ran on the database before; null: none did. */
  readonly newerVersion: string | null;
}

export interface StorageOptions {
  /** Address of a PostgreSQL database; empty or absent: SQLite in the data folder. */
  readonly databaseUrl?: string;
  /** Connections to PostgreSQL at most. */
  readonly databaseConnections?: number;
  /** Of this program; absent: the minimum version that the database names does not count. */
  readonly version?: string;
  /** Whether a folder without an id may join the installation of a PostgreSQL database. */
  readonly joinInstallation?: boolean;
  /** Whether a folder that was retired may be used again: an operator says so, and no setting does. */
  readonly returnRetired?: boolean;
  readonly onCommit?: (units: number, durationMs: number) => void;
  /** Of SQLite, whose threads may be lost. */
  readonly onThreadCrashed?: (error: Error) => void;
  /** The database is no longer the one that it was at the start, or the folder not; called once. */
  readonly onReplaced?: (finding: string) => void;
}

interface CommandStorageOptions extends StorageOptions {
  /** Whether the command reads or writes files of the data folder, and not the database alone. */
  readonly usesFiles?: boolean;
}

const serviceConnections = 10;
const commandConnections = 2;

/**
 * Opens the database for the one service of a data folder, and holds the folder until it is closed. Where the two do not
 * belong together it throws before anything is made or changed.
 */
export async function openServiceStorage(
  folder: DataFolder,
  options: StorageOptions = {},
): Promise<ServiceStorage> {
  // A folder of which half was restored would look as if it belonged to another database.
  await refuseDuringRestore(folder);
  const location = databaseLocation(folder, options);
  const { joinInstallation = false, returnRetired = false, onReplaced = () => {} } = options;
  const pairOptions = { mayJoin: joinInstallation, mayReturn: returnRetired };
  await requirePair(folder, location, pairOptions);
  prepareDataFolder(folder);
  const lock = await lockDataFolder(folder, 1000);
  try {
    await refuseDuringRestore(folder);
    await removeLeftovers(folder);
    const { database, migrated } = await openForService(folder, options);
    try {
      const pairing = await establishPair(folder, database, location, pairOptions, database.clock());
      const newerVersion = await rememberVersion(database, pairing.folder, options.version);
      const pair = createRunningPair({ folder, database, pairing, clock: database.clock, onReplaced });
      return {
        folder,
        database,
        migrated,
        pair,
        newerVersion,
        async close() {
          // Without it the next start sees the database that it expects, or reports an older one.
          await pair.stop().catch(() => undefined);
          await database.close();
          lock.release();
        },
      };
    } catch (error) {
      await database.close();
      throw error;
    }
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Opens the database for a command, beside a running service or without one. */
export async function openCommandStorage(
  folder: DataFolder,
  options: CommandStorageOptions = {},
): Promise<Storage> {
  const { usesFiles = false } = options;
  await refuseDuringRestore(folder);
  await requirePairForCommand(folder, databaseLocation(folder, options), { usesFiles });
  prepareDataFolder(folder);
  const address = addressOf(options);
  if (address) {
    const migrated = await migratePostgres(address, false, { version: options.version });
    const database = await openPostgres({ address, connections: commandConnections });
    return { folder, database, migrated, close: () => database.close() };
  }
  const migrated = await migrateUnlessServed(folder);
  const database = await openSqlite({ path: folder.databasePath });
  return { folder, database, migrated, close: () => database.close() };
}

/** Where the database of these options is, and how it is read before it is opened. */
export function databaseLocation(
  folder: DataFolder,
  options: Pick<StorageOptions, 'databaseUrl' | 'version'>,
): DatabaseLocation {
  const address = addressOf(options);
  if (!address) {
    return {
      isSqlite: true,
      shown: folder.databasePath,
      look: lookAtSqlite(folder.databasePath, options.version),
    };
  }
  return { isSqlite: false, shown: describeAddress(address), look: lookAtPostgres(address) };
}

/** Migrates and opens the database. The caller holds the folder. */
export async function openForService(
  folder: DataFolder,
  options: StorageOptions,
): Promise<Pick<Storage, 'database' | 'migrated'>> {
  const { databaseConnections = serviceConnections, onCommit, onThreadCrashed } = options;
  const watchers = { ...(onCommit ? { onCommit } : {}), ...(onThreadCrashed ? { onThreadCrashed } : {}) };
  const address = addressOf(options);
  if (address) {
    const migrated = await migratePostgres(address, true, { version: options.version });
    const database = await openPostgres({ address, connections: databaseConnections, ...watchers });
    return { database, migrated };
  }
  const migrated = await migrateSqlite(folder.databasePath, folder.backupsDir, Date.now());
  const database = await openSqlite({ path: folder.databasePath, ...watchers });
  try {
    const row = await database.query.selectFrom('minimum_version').select('version').executeTakeFirst();
    if (options.version !== undefined)
      requireVersion(row?.version ?? null, options.version, `The database ${folder.databasePath}`);
  } catch (error) {
    await database.close();
    throw error;
  }
  return { migrated, database };
}

/** Null for SQLite. */
export function addressOf({ databaseUrl = '' }: Pick<StorageOptions, 'databaseUrl'>): PostgresAddress | null {
  if (databaseUrl === '') return null;
  const address = readPostgresUrl(databaseUrl);
  if (typeof address === 'string') throw new StorageError('access', `The setting databaseUrl ${address}.`);
  return address;
}

/** Reads a database before its tables are made or changed. */
function lookAtPostgres(address: PostgresAddress): LookAtDatabase {
  return async (work) => {
    const client = await makeClient(address);
    const execute: ExecuteSql = async (text, values) => {
      try {
        const { rows, rowCount } = await client.query<Record<string, unknown>>(text, [...values]);
        return { rows, changes: rowCount ?? 0 };
      } catch (error) {
        throw explainPostgresError(error, address);
      }
    };
    try {
      await client.connect().catch((error: unknown) => {
        throw explainPostgresError(error, address);
      });
      await execute('SET default_transaction_read_only = on', []);
      const query = new Kysely<Schema>({ dialect: postgresDialect({ execute, begin: null }) });
      return await work(query, new Set(await appliedSteps(execute, address)));
    } finally {
      await client.end().catch(() => undefined);
    }
  };
}
