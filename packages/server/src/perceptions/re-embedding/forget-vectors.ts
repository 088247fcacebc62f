import type { Database } from '../../storage/database.js';
import type { GalleryRef } from '../index/face-index.js';
import { lockImages } from './switch-embedder.js';

/** Vectors in one unit, so that it holds no other writer up. */
const batchSize = 300;

/**
 * Deletes what embedders other than the one in use made of a perception's images; answers how many vectors. The one in use
 * is looked up in each unit: should it change meanwhile, no vector of the new one goes.
 */
export async function forgetVectors(
  database: Database,
  { accountId, perceptionId }: Omit<GalleryRef, 'embedder'>,
): Promise<number> {
  const { query } = database;
  const inUse = query
    .selectFrom('perception')
    .select('perception.embedder')
    .where('perception.account_id', '=', accountId)
    .where('perception.id', '=', perceptionId);
  for (let [after, embeddings] = [0, 0]; ; ) {
    const images = await query
      .selectFrom('face_image')
      .select('id')
      .where('account_id', '=', accountId)
      .where('perception_id', '=', perceptionId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(batchSize)
      .execute();
    const last = images.at(-1);
    if (last === undefined) return embeddings;
    const ids = images.map(({ id }) => id);
    const [, deleted] = await database.write([
      lockImages(database, accountId),
      query
        .deleteFrom('face_embedding')
        .where('account_id', '=', accountId)
        .where('image_id', 'in', ids)
        .where('embedder', '<>', inUse),
      query
        .deleteFrom('face_not_embedded')
        .where('account_id', '=', accountId)
        .where('image_id', 'in', ids)
        .where('embedder', '<>', inUse),
    ]);
    embeddings += deleted?.changes ?? 0;
    after = last.id;
  }
}
