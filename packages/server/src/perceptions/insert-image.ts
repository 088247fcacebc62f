import type { Compilable, RawBuilder } from 'kysely';
import type { Clock } from '../clock.js';
import type { Database } from '../storage/database.js';
import { countUp, lastId } from './count-up.js';
import type { NewFaceImage } from './face-image.js';
import { toVectorBytes } from './vector-bytes.js';

/** Three statements: the last but one answers the id of the image. */
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
      .values({
        account_id: accountId,
        id: imageId,
        perception_id: perceptionId,
        person_id: personId,
        key_id: image.keyId,
        blob_id: image.blobId,
        picture_kind: image.pictureKind,
        picture_bytes: image.pictureBytes,
        picture_sha256: image.pictureSha256,
        face: JSON.stringify(image.face),
        created_at: image.createdAt ?? clock(),
      })
      .returning('id'),
    database.query.insertInto('face_embedding').values({
      account_id: accountId,
      image_id: imageId,
      embedder: image.embedder,
      vector: toVectorBytes(image.vector),
    }),
  ];
}
