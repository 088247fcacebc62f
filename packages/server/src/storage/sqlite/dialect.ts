import { type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { createExecuteDriver, type ExecuteDriverOptions } from '../execute-driver.js';

/** Kysely's SQLite dialect over any function that executes SQL. */
export function sqliteDialect(options: ExecuteDriverOptions): Dialect {
  return {
    createAdapter: () => new TransactionalDdlAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createDriver: () => createExecuteDriver(options),
  };
}

/** SQLite rolls back a CREATE TABLE like any statement; Kysely leaves this off, and half a migration could remain. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
