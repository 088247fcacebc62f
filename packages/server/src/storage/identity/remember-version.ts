import type { Kysely } from 'kysely';
import type { Database } from '../database.js';
import { compareVersions } from '../migrations/minimum-version.js';
import { newestOf } from '../migrations/newest-version.js';
import type { Schema } from '../schema.js';

/**
 * Writes down that a version ran on a data folder, unless a newer one did before.
 * @param own absent: nothing is written
 * @returns the newest version that ran on a folder of the database, where that is newer than this one; null: none did
 */
export async function rememberVersion(
  database: Database,
  folder: string,
  own: string | undefined,
): Promise<string | null> {
  if (own === undefined) return null;
  const { query } = database;
  const rows = await query.selectFrom('data_folder').select(['uid', 'version']).execute();
  const before = rows.find(({ uid }) => uid === folder)?.version ?? null;
  if (before === null || compareVersions(before, own) < 0)
    await database.write([query.updateTable('data_folder').set({ version: own }).where('uid', '=', folder)]);
  const newest = newestOf(versionsIn(rows));
  return newest !== null && compareVersions(newest, own) > 0 ? newest : null;
}

/**
 * The newest version that a service ran on the database; null where no row names one.
 * @param applied the migrations that the database has
 */
export async function newestVersion(
  query: Kysely<Schema>,
  applied: ReadonlySet<string>,
): Promise<string | null> {
  if (applied.size === 0) return null;
  return newestOf(versionsIn(await query.selectFrom('data_folder').select('version').execute()));
}

const versionsIn = (rows: readonly { readonly version: string | null }[]): readonly string[] =>
  rows.flatMap(({ version }) => (version === null ? [] : [version]));
