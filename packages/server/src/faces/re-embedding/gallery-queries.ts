import type { Kysely } from 'kysely';
import type { Schema } from '../../storage/schema.js';
import type { GalleryRef } from '../index/face-index.js';

type Query = Kysely<Schema>;

/** Images of the perception that the embedder neither has described nor was found unable to. */
export function missingIn(query: Query, { accountId, perceptionId, embedder }: GalleryRef) {
  return query
    .selectFrom('face_image')
    .where('face_image.account_id', '=', accountId)
    .where('face_image.perception_id', '=', perceptionId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('face_embedding')
            .select('face_embedding.image_id')
            .whereRef('face_embedding.account_id', '=', 'face_image.account_id')
            .whereRef('face_embedding.image_id', '=', 'face_image.id')
            .where('face_embedding.embedder', '=', embedder),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('face_not_embedded')
            .select('face_not_embedded.image_id')
            .whereRef('face_not_embedded.account_id', '=', 'face_image.account_id')
            .whereRef('face_not_embedded.image_id', '=', 'face_image.id')
            .where('face_not_embedded.embedder', '=', embedder),
        ),
      ),
    );
}

export async function countMissing(query: Query, gallery: GalleryRef): Promise<number> {
  const row = await missingIn(query, gallery)
    .select((from) => from.fn.countAll<number>().as('count'))
    .executeTakeFirst();
  return row?.count ?? 0;
}

export function countVectors(query: Query, { accountId, perceptionId }: Omit<GalleryRef, 'embedder'>) {
  return query
    .selectFrom('face_image')
    .innerJoin('face_embedding', (join) =>
      join
        .onRef('face_embedding.account_id', '=', 'face_image.account_id')
        .onRef('face_embedding.image_id', '=', 'face_image.id'),
    )
    .select(['face_embedding.embedder', (from) => from.fn.countAll<number>().as('images')])
    .where('face_image.account_id', '=', accountId)
    .where('face_image.perception_id', '=', perceptionId)
    .groupBy('face_embedding.embedder')
    .orderBy('face_embedding.embedder')
    .execute();
}
