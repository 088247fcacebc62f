import type { Kysely } from 'kysely';

/** Which bucket has the blobs of the installation, and where that is; null: they lie in data folders. */
export async function rememberBucket(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('installation').addColumn('bucket_uid', 'text').execute();
  await db.schema.alterTable('installation').addColumn('bucket_address', 'text').execute();
}
