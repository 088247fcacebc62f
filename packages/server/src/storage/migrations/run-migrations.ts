import { type Dialect, Kysely, Migrator } from 'kysely';
import { StorageError } from '../storage-error.js';
import type { ColumnTypes } from './column-types.js';
import { type MigrationSteps, toMigrations } from './migrations.js';

/** What was done to the schema when the database was opened. */
export interface Migrated {
  readonly applied: readonly string[];
  /** The copy made before an existing database was changed. */
  readonly backupPath: string | null;
}

/**
 * Names of the steps that the database has not. Refuses one with steps that this program does not know.
 * @param tellNewer Words for that, given the unknown steps.
 */
export function pendingSteps(
  steps: MigrationSteps,
  applied: readonly string[],
  describeNewer: (unknown: string) => string,
): readonly string[] {
  const names = Object.keys(steps).sort();
  const unknown = applied.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new StorageError('newer', describeNewer(unknown.join(', ')));
  return names.filter((name) => !applied.includes(name));
}

/** Whether a newer program has changed the database and lacks nothing that this one knows. */
export function isOnlyNewer(steps: MigrationSteps, applied: readonly string[]): boolean {
  const names = Object.keys(steps);
  return applied.length > names.length && names.every((name) => applied.includes(name));
}

/**
 * Brings the schema up to the last step, in one transaction. On a new database the first step makes the present tables, and the
 * others are written down without being run.
 */
export async function runMigrations(
  dialect: Dialect,
  steps: MigrationSteps,
  types: ColumnTypes,
  { isNew, schema }: { readonly isNew: boolean; readonly schema?: string },
): Promise<void> {
  const db = new Kysely<unknown>({ dialect });
  const provider = { getMigrations: async () => toMigrations(isNew ? firstAlone(steps) : steps, types) };
  const within = schema === undefined ? {} : { migrationTableSchema: schema };
  const { error } = await new Migrator({ db, provider, ...within }).migrateToLatest();
  if (!error) return;
  if (error instanceof StorageError) throw error;
  throw new StorageError('internal', `The database could not be migrated: ${String(error)}`, {
    cause: error,
  });
}

function firstAlone(steps: MigrationSteps): MigrationSteps {
  return Object.fromEntries(
    Object.entries(steps)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, step], index) => [name, index === 0 ? step : async () => {}]),
  );
}
