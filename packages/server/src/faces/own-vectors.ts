import type { Database } from '../storage/database.js';
import { dotProduct } from './dot-product.js';
import { fromVectorBytes } from './vector-bytes.js';

interface OwnVector {
  readonly imageId: number;
  /** Of an `EnrolledFace`, as JSON. */
  readonly face: string;
  /** To the vector that was asked for. */
  readonly cosine: number;
}

/** Images of a person that are compared, the newest first: a bound on what one call reads. */
const maxCompared = 500;

/** How similar the newest images of a person are to a vector of the same embedder. */
export async function compareWithOwn(
  { database }: { readonly database: Pick<Database, 'query'> },
  {
    accountId,
    personId,
    embedder,
  }: { readonly accountId: number; readonly personId: number; readonly embedder: string },
  embedding: Float32Array,
): Promise<readonly OwnVector[]> {
  const rows = await database.query
    .selectFrom('face_image')
    .innerJoin('face_embedding', (join) =>
      join
        .onRef('face_embedding.account_id', '=', 'face_image.account_id')
        .onRef('face_embedding.image_id', '=', 'face_image.id')
        .on('face_embedding.embedder', '=', embedder),
    )
    .select(['face_image.id as imageId', 'face_image.face', 'face_embedding.vector'])
    .where('face_image.account_id', '=', accountId)
    .where('face_image.person_id', '=', personId)
    .orderBy('face_image.id', 'desc')
    .limit(maxCompared)
    .execute();
  return rows.map(({ imageId, face, vector }) => ({
    imageId,
    face,
    cosine: dotProduct(fromVectorBytes(vector), embedding),
  }));
}

/** The most similar one; undefined without one. */
export function nearestOf(vectors: readonly OwnVector[]): OwnVector | undefined {
  return vectors.reduce<OwnVector | undefined>(
    (best, each) => (best === undefined || each.cosine > best.cosine ? each : best),
    undefined,
  );
}
