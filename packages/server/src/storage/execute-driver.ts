import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import type { WriteResult } from './database.js';

export type ExecuteSql = (sql: string, parameters: readonly unknown[]) => Promise<WriteResult>;

export interface ExecuteDriverOptions {
  readonly execute: ExecuteSql;
  /** What begins a transaction, which needs a connection that nobody else uses; null: there are none. */
  readonly begin: string | null;
}

/** Kysely's driver over any function that executes SQL: a reading thread, a pool, or a connection at hand. */
export function createExecuteDriver({ execute, begin }: ExecuteDriverOptions): Driver {
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
    if (begin === null) throw new Error('Reads have no transactions; change rows with Database.write().');
    await execute(sql, []);
  };
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: () => control(begin ?? ''),
    commitTransaction: () => control('COMMIT'),
    rollbackTransaction: () => control('ROLLBACK'),
    releaseConnection: async () => {},
    destroy: async () => {},
  };
}
