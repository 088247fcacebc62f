import type { Kysely } from 'kysely';

/** Of what kind and how large the picture is that is kept beside an analysis; NULL where none is. */
export async function addKeptPictures(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('analysis').addColumn('picture_bytes', 'bigint').execute();
  await db.schema.alterTable('analysis').addColumn('picture_kind', 'text').execute();
}
