import { type Dialect, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { createExecuteDriver, type ExecuteDriverOptions } from '../execute-driver.js';

/** Kysely's PostgreSQL dialect over any function that executes SQL. */
export function postgresDialect(options: ExecuteDriverOptions): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createDriver: () => createExecuteDriver(options),
  };
}
