import type { Database } from '../storage/database.js';
import { isDegraded } from './degraded.js';
import type { FaceImages, StoredFaceImage } from './face-images.js';
import { compareWithOwn, nearestOf } from './own-vectors.js';

/**
 * A person's most similar image on which the face is not degraded; null without one. The index knows only the most similar image of
 * each person, which may be a degraded one although a clear one would decide.
 */
export async function findNearestClearImage(
  {
    database,
    images,
  }: { readonly database: Pick<Database, 'query'>; readonly images: Pick<FaceImages, 'found'> },
  gallery: { readonly accountId: number; readonly personId: number; readonly embedder: string },
  embedding: Float32Array,
): Promise<{ readonly image: StoredFaceImage; readonly cosine: number } | null> {
  const vectors = await compareWithOwn({ database }, gallery, embedding);
  // Written by us alone.
  const best = nearestOf(vectors.filter(({ face }) => !isDegraded(JSON.parse(face).quality)));
  const image = best && (await images.found(gallery.accountId, [best.imageId])).get(best.imageId);
  return best && image ? { image, cosine: best.cosine } : null;
}
