import { ServiceError } from '../core/service-error.js';
import type { Database } from '../storage/database.js';
import { fromVectorBytes } from './vector-bytes.js';

/** The vector of a face image, of this embedder. Throws `not_found` where the image was deleted. */
export async function readStoredVector(
  { query }: Pick<Database, 'query'>,
  accountId: number,
  imageId: number,
  embedder: string,
): Promise<Float32Array> {
  const row = await query
    .selectFrom('face_embedding')
    .select('vector')
    .where('account_id', '=', accountId)
    .where('image_id', '=', imageId)
    .where('embedder', '=', embedder)
    .executeTakeFirst();
  if (!row) throw new ServiceError('not_found', `image ${imageId} was deleted meanwhile`);
  return fromVectorBytes(row.vector);
}
