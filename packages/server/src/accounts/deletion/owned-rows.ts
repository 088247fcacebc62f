import { type RawBuilder, sql } from 'kysely';
import { type Schema, tables } from '../../storage/schema.js';
import { keyOf, type Table } from '../../storage/tables/define-table.js';

/** Rows of a table that belong to an account. */
export interface OwnedRows {
  readonly table: keyof Schema;
  /**
   * Columns that tell one row from another. One where there is one: SQLite 3 misses rows of `(account_id, id) in (…)` where `id` is
   * the rowid and an index has both.
   */
  readonly key: readonly string[];
  readonly order?: readonly string[];
  readonly condition: (accountId: number) => RawBuilder<boolean>;
  readonly bytes?: string;
}

const ofAccount = (accountId: number) => sql<boolean>`account_id = ${accountId}`;
const names = Object.keys(tables) as (keyof Schema)[];

/**
 * All rows of an account, in the order in which they are deleted: none is left to a cascade, which would delete any number at
 * once. A test walks the tables of the database and fails while one that leads to an account is not here.
 */
export const ownedRows: readonly OwnedRows[] = names.reverse().flatMap((name) => {
  const table: Table = tables[name];
  return 'deleted' in table
    ? [{ table: name, key: keyOf(table), condition: ofAccount, ...table.deleted }]
    : [];
});
