import { describeAddress, type PostgresAddress } from '../../core/postgres-address.js';
import type { WriteResult } from '../database.js';
import type { ExecuteSql } from '../execute-driver.js';
import { postgresTypes } from '../migrations/column-types.js';
import { type MigrationSteps, shippedSteps } from '../migrations/migrations.js';
import { requireVersion } from '../migrations/minimum-version.js';
import { newestOf, shownVersion } from '../migrations/newest-version.js';
import { refuseBefore } from '../migrations/refuse-before.js';
import { isOnlyNewer, type Migrated, pendingSteps, runMigrations } from '../migrations/run-migrations.js';
import { StorageError } from '../storage-error.js';
import { makeClient } from './connect.js';
import { postgresDialect } from './dialect.js';
import { explainPostgresError } from './explain.js';

/** Any number of ours, beside that of `run-unit.ts`; it names the lock under which the schema is looked at and changed. */
export const migrationLock = 7_246_302;
const lockTimeoutMs = 60_000;
const oldestMajor = 13;

interface MigrateOptions {
  readonly steps?: MigrationSteps;
  /** Of this program. A database that a newer one has changed is refused, unless it says that this version may use it. */
  readonly version?: string | undefined;
}

/**
 * Brings the schema up to this program's; of several that start at once, one does it and the others wait.
 * @param mayUpgrade Whether tables that hold something may be changed; a new database always may.
 */
export async function migratePostgres(
  address: PostgresAddress,
  mayUpgrade: boolean,
  { steps = shippedSteps, version }: MigrateOptions = {},
): Promise<Migrated> {
  const client = await makeClient(address);
  const execute: ExecuteSql = async (text, values): Promise<WriteResult> => {
    // Not checked by `toBindable`: Kysely's questions about the schema bind booleans.
    try {
      const { rows, rowCount } = await client.query<Record<string, unknown>>(text, [...values]);
      return { rows, changes: rowCount ?? 0 };
    } catch (error) {
      throw explainPostgresError(error, address);
    }
  };
  try {
    await client.connect();
    await client.query(`SET lock_timeout = ${lockTimeoutMs}; SET synchronous_commit = on`);
    const schema = await checkServer(execute, address);
    await execute('SELECT pg_advisory_lock($1)', [migrationLock]);
    const applied = await appliedSteps(execute, address);
    if (version !== undefined && applied.length > 0) {
      const minimum = await readMinimum(execute);
      requireVersion(minimum, version, `The PostgreSQL database ${describeAddress(address)}`);
      if (minimum !== null && isOnlyNewer(steps, applied)) return { applied: [], backupPath: null };
    }
    const newest = await newestVersion(execute, applied);
    const pending = pendingSteps(steps, applied, (unknown) =>
      describeNewer(address, unknown, shownVersion(newest, version)),
    );
    if (pending.length === 0) return { applied: [], backupPath: null };
    if (applied.length > 0 && !mayUpgrade) throw olderThanCommand(address);
    await runMigrations(postgresDialect({ execute, begin: 'BEGIN' }), steps, postgresTypes, {
      schema,
      isNew: applied.length === 0,
    });
    return { applied: pending, backupPath: null };
  } catch (error) {
    throw explainPostgresError(error, address);
  } finally {
    // Its locks end with it.
    await client.end().catch(() => undefined);
  }
}

async function readMinimum(execute: ExecuteSql): Promise<string | null> {
  const { rows } = await execute('SELECT version FROM minimum_version', []);
  return rows[0] === undefined ? null : String(rows[0]['version']);
}

async function newestVersion(execute: ExecuteSql, applied: readonly string[]): Promise<string | null> {
  if (applied.length === 0) return null;
  const { rows } = await execute('SELECT version FROM data_folder WHERE version IS NOT NULL', []);
  return newestOf(rows.map((row) => String(row['version'])));
}

/** Answers the schema that our tables are in. */
async function checkServer(execute: ExecuteSql, address: PostgresAddress): Promise<string> {
  const { rows } = await execute(
    `SELECT current_setting('server_version_num')::int / 10000 AS major,
            current_setting('server_encoding') AS encoding,
            current_schema() AS schema`,
    [],
  );
  const { major, encoding, schema } = rows[0] ?? {};
  if (Number(major) < oldestMajor) {
    throw new StorageError(
      'access',
      `The PostgreSQL database ${describeAddress(address)} is of version ${major}; ${oldestMajor} or newer is needed.`,
    );
  }
  if (encoding !== 'UTF8') {
    throw new StorageError(
      'access',
      `The PostgreSQL database ${describeAddress(address)} has the encoding ${encoding}, which cannot keep every text. ` +
        'Make one with: createdb -E UTF8 -T template0 NAME',
    );
  }
  if (typeof schema !== 'string') {
    throw new StorageError(
      'access',
      `The user "${address.user}" has no schema in the PostgreSQL database ${describeAddress(address)}; make it the owner of the database.`,
    );
  }
  return schema;
}

/** Names of the changes that a database has; none where it is new. Refuses another program's. */
export async function appliedSteps(
  execute: ExecuteSql,
  address: PostgresAddress,
): Promise<readonly string[]> {
  const { rows: tables } = await execute(
    'SELECT tablename AS name FROM pg_catalog.pg_tables WHERE schemaname = current_schema()',
    [],
  );
  if (tables.length === 0) return [];
  if (!tables.some(({ name }) => name === 'kysely_migration')) {
    throw new StorageError(
      'damaged',
      `The PostgreSQL database ${describeAddress(address)} is that of another program; make one for Lynceus alone.`,
    );
  }
  const { rows } = await execute('SELECT name FROM kysely_migration', []);
  const applied = rows.map(({ name }) => String(name)).sort();
  refuseBefore(applied, `The PostgreSQL database ${describeAddress(address)}`);
  return applied;
}

function describeNewer(address: PostgresAddress, unknown: string, by: string): string {
  return (
    `The PostgreSQL database ${describeAddress(address)} was changed by ${by} (it has the change ${unknown}). ` +
    'Nothing was changed now. Start that version, or go back with the dump made before the upgrade: pg_restore.'
  );
}

function olderThanCommand(address: PostgresAddress): StorageError {
  return new StorageError(
    'locked',
    `The PostgreSQL database ${describeAddress(address)} is older than this command. Start the service of this version, ` +
      'which upgrades it, or use the command of the version that runs.',
  );
}
