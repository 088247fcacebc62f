import type { Kysely, Migration } from 'kysely';
import { createTables } from './0001-tables.js';
import type { ColumnTypes } from './column-types.js';

type MigrationStep = (db: Kysely<unknown>, types: ColumnTypes) => Promise<void>;
/** Steps by name; the names sort in the order in which they run. */
export type MigrationSteps = Readonly<Record<string, MigrationStep>>;

/**
 * Every change of the schema, in order, forward only. A released one is never edited: add a file and a row, and keep
 * `schema.ts` in step.
 */
export const shippedSteps: MigrationSteps = {
  '0001-tables': createTables,
};

export function toMigrations(steps: MigrationSteps, types: ColumnTypes): Record<string, Migration> {
  return Object.fromEntries(
    Object.entries(steps).map(([name, step]) => [name, { up: (db) => step(db, types) }]),
  );
}
