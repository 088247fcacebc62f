import { stat } from 'node:fs/promises';
import { Kysely } from 'kysely';
import type { LookAtDatabase } from '../identity/look-at-pair.js';
import { shippedSteps } from '../migrations/migrations.js';
import type { Schema } from '../schema.js';
import { openConnection } from './connection.js';
import { sqliteDialect } from './dialect.js';
import { appliedMigrations, pendingMigrations } from './migrate.js';

/**
 * Reads a database file before it is opened for work. One that is not there is not made.
 * @param version of this program
 */
export function lookAtSqlite(path: string, version?: string): LookAtDatabase {
  return async (work) => {
    if (!(await hasBytes(path))) return work(null, new Set());
    const connection = openConnection(path, { access: 'read', wal: false, busyTimeoutMs: 10_000 });
    try {
      // Refuses a newer one.
      pendingMigrations(connection, shippedSteps, version);
      const execute = async (text: string, values: readonly unknown[]) => connection.run(text, values);
      const query = new Kysely<Schema>({ dialect: sqliteDialect({ execute, begin: null }) });
      return await work(query, new Set(appliedMigrations(connection)));
    } finally {
      connection.close();
    }
  };
}

/** Whatever is wrong with the place is said when it is opened for work. */
async function hasBytes(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && found.size > 0;
}
