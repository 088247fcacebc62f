import type { Kysely } from 'kysely';

/** The data folder that the bytes of a file are in: of several services on one database, each ends its own transfers alone. */
export async function rememberFolderOfDropFiles(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('drop_file').addColumn('folder_uid', 'text').execute();
}
