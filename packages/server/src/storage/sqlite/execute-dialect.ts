import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { WriteResult } from '../database.js';

export type ExecuteSql = (sql: string, parameters: readonly unknown[]) => Promise<WriteResult>;

export interface ExecuteDialectOptions {
  readonly execute: ExecuteSql;
  /** Whether BEGIN, COMMIT and ROLLBACK may pass, which needs a connection that nobody else uses. */
  readonly transactions: boolean;
}

/** Kysely's SQLite dialect over any function that executes SQL: the reading thread, or a connection at hand. */
export function executeDialect(options: ExecuteDialectOptions): Dialect {
  return {
    createAdapter: () => new TransactionalDdlAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createDriver: () => createDriver(options),
  };
}

/** SQLite rolls back a CREATE TABLE like any statement; Kysely leaves this off, and half a migration could remain. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function createDriver({ execute, transactions }: ExecuteDialectOptions): Driver {
  const connection: DatabaseConnection = {
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      const { rows, changes } = await execute(query.sql, query.parameters);
      // Kysely's contract: the rows have the type that the query builder derived from the schema.
      return { rows: rows as unknown as Row[], numAffectedRows: BigInt(changes) };
    },
    streamQuery() {
      throw new Error('Streaming is not supported; read in pages.');
    },
  };
  const control = async (sql: string): Promise<void> => {
    if (!transactions) throw new Error('Reads have no transactions; change rows with Database.write().');
    await execute(sql, []);
  };
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: () => control('BEGIN IMMEDIATE'),
    commitTransaction: () => control('COMMIT'),
    rollbackTransaction: () => control('ROLLBACK'),
    releaseConnection: async () => {},
    destroy: async () => {},
  };
}
