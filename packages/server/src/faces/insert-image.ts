import { type Compilable, type RawBuilder, sql } from 'kysely';
import type { Clock } from '../core/clock.js';
import { countUp, lastId } from '../storage/count-up.js';
import type { Database } from '../storage/database.js';
import type { NewFaceImage } from './face-image.js';
import { toVectorBytes } from './vector-bytes.js';

/**
 * Three statements: the last but one answers the id of the image. The unit fails as `constraint` where the perception has
 * another embedder than the image was described by: then no image is inserted, and its vector has none. A change of the
 * embedder takes the same counter first, so that on PostgreSQL too it comes wholly before this unit or after it; so does
 * another unit that inserts the same image.
 */
export function insertImage(
  { database, clock }: { readonly database: Pick<Database, 'query'>; readonly clock: Clock },
  accountId: number,
  perceptionId: number,
  personId: number | RawBuilder<number>,
  image: NewFaceImage,
): readonly Compilable[] {
  const imageId = lastId(accountId, 'face_image');
  return [
    countUp(database, accountId, 'face_image'),
    database.query
      .insertInto('face_image')
      .columns([
        'account_id',
        'id',
        'perception_id',
        'person_id',
        'key_id',
        'blob_id',
        'image_kind',
        'image_bytes',
        'image_sha256',
        'face',
        'created_at',
      ])
      .expression((from) =>
        from
          .selectFrom('perception')
          .select((row) => [
            'perception.account_id',
            imageId.as('image_id'),
            'perception.id',
            // PostgreSQL takes a value in a SELECT for text without a cast.
            sql<number>`cast(${personId} as bigint)`.as('person_id'),
            row.val(image.keyId).as('key_id'),
            row.val(image.blobId).as('blob_id'),
            row.val(image.imageKind).as('image_kind'),
            sql<number>`cast(${image.imageBytes} as bigint)`.as('image_bytes'),
            row.val(image.imageSha256).as('image_sha256'),
            row.val(JSON.stringify(image.face)).as('face'),
            sql<number>`cast(${image.createdAt ?? clock()} as bigint)`.as('created_at'),
          ])
          .where('perception.account_id', '=', accountId)
          .where('perception.id', '=', perceptionId)
          .where('perception.embedder', '=', image.embedder)
          .$if(image.isOnce === true, (row) =>
            row.where(({ exists, not, selectFrom }) =>
              not(
                exists(
                  selectFrom('face_image')
                    .select('face_image.id')
                    .where('face_image.account_id', '=', accountId)
                    .where('face_image.perception_id', '=', perceptionId)
                    .where('face_image.image_sha256', '=', image.imageSha256),
                ),
              ),
            ),
          ),
      )
      .returning('id'),
    database.query.insertInto('face_embedding').values({
      account_id: accountId,
      image_id: imageId,
      embedder: image.embedder,
      vector: toVectorBytes(image.vector),
    }),
  ];
}
