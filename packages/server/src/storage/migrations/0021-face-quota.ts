import type { Kysely } from 'kysely';

/** The face images of an account are counted, with their bytes, from this index alone. */
export async function indexFaceBytes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('face_image_bytes')
    .on('face_image')
    .columns(['account_id', 'picture_bytes'])
    .execute();
}
