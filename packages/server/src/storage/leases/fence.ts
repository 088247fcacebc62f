import { type Compilable, type Expression, sql } from 'kysely';
import type { Database } from '../database.js';

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
