import type { Kysely } from 'kysely';
import { setMinimumVersion } from './minimum-version.js';

/** Which version of the program was the newest to run on a data folder: what refuses the database can name it. */
export async function addFolderVersions(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('data_folder').addColumn('version', 'text').execute();
  await setMinimumVersion(db, '0.1.0');
}
