import type { Database } from '../storage/database.js';
import type { GalleryRef, IndexedFace } from './index/face-index.js';
import { fromVectorBytes } from './vector-bytes.js';

/** Rows a page: some 4 MB of vectors, so that neither thread is held long. */
const pageRows = 2000;

/** All faces of a gallery as the database has them, by image id. */
export async function* loadFaces(
  { query }: Pick<Database, 'query'>,
  { accountId, perceptionId, embedder }: GalleryRef,
): AsyncIterable<readonly IndexedFace[]> {
  for (let after = 0; ; ) {
    const rows = await query
      .selectFrom('face_image')
      .innerJoin('face_embedding', (join) =>
        join
          .onRef('face_embedding.account_id', '=', 'face_image.account_id')
          .onRef('face_embedding.image_id', '=', 'face_image.id')
          .on('face_embedding.embedder', '=', embedder),
      )
      .select([
        'face_image.id as imageId',
        'face_image.person_id as personId',
        'face_embedding.vector as vector',
      ])
      .where('face_image.account_id', '=', accountId)
      .where('face_image.perception_id', '=', perceptionId)
      .where('face_image.id', '>', after)
      .orderBy('face_image.id')
      .limit(pageRows)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map((row) => ({ ...row, vector: fromVectorBytes(row.vector) }));
    after = last.imageId;
  }
}
