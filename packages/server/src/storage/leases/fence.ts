import { type Compilable, type Expression, sql } from 'kysely';
import type { Database, WriteOptions } from '../database.js';
import { StorageError } from '../storage-error.js';

/**
 * A statement that undoes its unit, as `not-null`, unless a query of the row that is written for finds it: so nothing is left of
 * what a process writes that lost its lease. On PostgreSQL the unit locks that row first, with a statement of its own, so that
 * nobody takes the lease between this statement and the commit.
 */
export function refuseUnless({ query }: Pick<Database, 'query'>, held: Expression<unknown>): Compilable {
  return query
    .insertInto('lease')
    .columns(['name'])
    .expression(
      query
        .selectNoFrom(sql<string>`cast(null as text)`.as('name'))
        .where(({ not, exists }) => not(exists(held))),
    );
}

/**
 * The same database, on which each unit begins with statements that may undo it, as `not-null`.
 * @param toError what is thrown where a unit was undone so; NULL may also have come from the unit itself
 */
export function fencedDatabase(
  database: Database,
  fence: () => readonly Compilable[],
  toError: (error: StorageError) => Promise<unknown>,
): Database {
  return {
    ...database,
    async write(statements: readonly Compilable[], options?: WriteOptions) {
      const first = fence();
      const results = await database
        .write([...first, ...statements], options)
        .catch(async (error: unknown) => {
          throw error instanceof StorageError && error.code === 'not-null' ? await toError(error) : error;
        });
      return results.slice(first.length);
    },
  };
}
