import type { Database } from '../storage/database.js';
import { isPairDegraded } from './degraded.js';
import { figuresOf } from './embedder-figures.js';
import type { FaceImages, StoredFaceImage } from './face-images.js';
import type { EmbeddedFace } from './look-at-faces.js';
import { compareWithOwn, nearestOf } from './own-vectors.js';

/**
 * A person's most similar image whose likeness to the face counts; null without one. The index knows only the most similar image of
 * each person, which may be degraded, or doubtful as the face is, although a clear one would decide.
 */
export async function findNearestClearImage(
  {
    database,
    images,
  }: { readonly database: Pick<Database, 'query'>; readonly images: Pick<FaceImages, 'found'> },
  gallery: { readonly accountId: number; readonly personId: number; readonly embedder: string },
  { embedding, quality }: Pick<EmbeddedFace, 'embedding' | 'quality'>,
): Promise<{ readonly image: StoredFaceImage; readonly cosine: number } | null> {
  const { doubtfulCosine } = figuresOf(gallery.embedder);
  const vectors = await compareWithOwn({ database }, gallery, embedding);
  const best = nearestOf(
    vectors.filter(
      // Written by us alone.
      ({ face, cosine }) => !isPairDegraded(quality, JSON.parse(face).quality, { cosine, doubtfulCosine }),
    ),
  );
  const image = best && (await images.found(gallery.accountId, [best.imageId])).get(best.imageId);
  return best && image ? { image, cosine: best.cosine } : null;
}
