import type { Kysely, Migration } from 'kysely';
import { createAccounts } from './0001-accounts.js';
import type { ColumnTypes } from './column-types.js';

type Step = (db: Kysely<unknown>, types: ColumnTypes) => Promise<void>;

/**
 * Every change of the schema, in order, forward only. A released one is never edited: add a file and a row, and keep
 * `schema.ts` in step. Names sort in the order in which they run.
 */
const steps: Readonly<Record<string, Step>> = {
  '0001-accounts': createAccounts,
};

export const migrationNames: readonly string[] = Object.keys(steps);

export function migrationsFor(types: ColumnTypes): Record<string, Migration> {
  return Object.fromEntries(
    Object.entries(steps).map(([name, step]) => [name, { up: (db) => step(db, types) }]),
  );
}
