import type { Database } from '../storage/database.js';
import { isDegraded } from './degraded.js';
import { dotProduct } from './dot-product.js';
import type { FaceImages, StoredFaceImage } from './face-images.js';
import { fromVectorBytes } from './vector-bytes.js';

/** A person's newest images that are compared: a bound on what one search reads. */
const maxCompared = 500;

/**
 * A person's most similar image on which the face is not degraded; null without one. The index knows only the most similar image of
 * each person, which may be a degraded one although a clear one would decide.
 */
export async function findNearestClearImage(
  {
    database,
    images,
  }: { readonly database: Pick<Database, 'query'>; readonly images: Pick<FaceImages, 'found'> },
  {
    accountId,
    personId,
    embedder,
  }: { readonly accountId: number; readonly personId: number; readonly embedder: string },
  embedding: Float32Array,
): Promise<{ readonly image: StoredFaceImage; readonly cosine: number } | null> {
  const rows = await database.query
    .selectFrom('face_image')
    .innerJoin('face_embedding', (join) =>
      join
        .onRef('face_embedding.account_id', '=', 'face_image.account_id')
        .onRef('face_embedding.image_id', '=', 'face_image.id')
        .on('face_embedding.embedder', '=', embedder),
    )
    .select(['face_image.id', 'face_image.face', 'face_embedding.vector'])
    .where('face_image.account_id', '=', accountId)
    .where('face_image.person_id', '=', personId)
    .orderBy('face_image.id', 'desc')
    .limit(maxCompared)
    .execute();
  let best: { readonly id: number; readonly cosine: number } | null = null;
  for (const { id, face, vector } of rows) {
    // Written by us alone.
    if (isDegraded(JSON.parse(face).quality)) continue;
    const cosine = dotProduct(fromVectorBytes(vector), embedding);
    if (best === null || cosine > best.cosine) best = { id, cosine };
  }
  const image = best && (await images.found(accountId, [best.id])).get(best.id);
  return best && image ? { image, cosine: best.cosine } : null;
}
