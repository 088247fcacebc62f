import type { Kysely } from 'kysely';

/** Which bucket has the blobs of the installation; null: they lie in data folders. */
export async function rememberBucket(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('installation').addColumn('bucket_uid', 'text').execute();
}
