import { Kysely } from 'kysely';
import { Client } from 'pg';
import type { ExecuteSql } from '../execute-driver.js';
import type { LookAtDatabase } from '../identity/look-at-pair.js';
import type { Schema } from '../schema.js';
import type { PostgresAddress } from './address.js';
import { connectionConfig } from './connect.js';
import { postgresDialect } from './dialect.js';
import { explainPostgresError } from './explain.js';
import { appliedSteps } from './migrate.js';

/** Reads a database before its tables are made or changed. */
export function lookAtPostgres(address: PostgresAddress): LookAtDatabase {
  return async (work) => {
    // No bound on an answer: rows of a large table are counted.
    const client = new Client({ ...connectionConfig(address), query_timeout: 0 });
    client.on('error', () => undefined);
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
