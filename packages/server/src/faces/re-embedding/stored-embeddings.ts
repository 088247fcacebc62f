import type { FaceQuality } from '@lynceus/engine';
import type { Compilable } from 'kysely';
import type { Database } from '../../storage/database.js';
import { StorageError } from '../../storage/storage-error.js';
import type { NotEmbeddedReason } from '../../storage/tables/perceptions.js';
import type { EnrolledFace } from '../face-image.js';
import type { GalleryRef } from '../index/face-index.js';
import { toVectorBytes } from '../vector-bytes.js';
import { countMissing, countVectors, missingIn } from './gallery-queries.js';

/** An image whose face is to be described. */
export interface ImageToEmbed {
  readonly id: number;
  readonly blobId: string;
  readonly face: EnrolledFace;
}

/** Its face as it is known now: earlier programs measured less of it. */
export interface EmbeddedImage {
  readonly vector: Float32Array;
  readonly quality: FaceQuality;
}

export interface LeftOutImage {
  readonly imageId: number;
  readonly reason: NotEmbeddedReason;
}

/** Which images of a perception an embedder has described, and which it cannot describe. */
export type StoredEmbeddings = ReturnType<typeof createStoredEmbeddings>;

const pageImages = 200;

export function createStoredEmbeddings(database: Database) {
  const { query } = database;

  const leftOutOf = ({ accountId, perceptionId, embedder }: GalleryRef) =>
    query
      .selectFrom('face_not_embedded')
      .innerJoin('face_image', (join) =>
        join
          .onRef('face_image.account_id', '=', 'face_not_embedded.account_id')
          .onRef('face_image.id', '=', 'face_not_embedded.image_id'),
      )
      .where('face_image.account_id', '=', accountId)
      .where('face_image.perception_id', '=', perceptionId)
      .where('face_not_embedded.embedder', '=', embedder);

  /** Whether the image was there for it. */
  const writeUnlessGone = async (statements: readonly Compilable[]): Promise<boolean> => {
    try {
      await database.write(statements);
      return true;
    } catch (error) {
      if (error instanceof StorageError && error.code === 'constraint') return false;
      throw error;
    }
  };

  return {
    /** Images that the embedder neither has described nor cannot describe, by id, in pages. */
    async *missing(gallery: GalleryRef): AsyncIterable<ImageToEmbed> {
      for (let after = 0; ; ) {
        const rows = await missingIn(query, gallery)
          .select(['face_image.id', 'face_image.blob_id as blobId', 'face_image.face'])
          .where('face_image.id', '>', after)
          .orderBy('face_image.id')
          .limit(pageImages)
          .execute();
        const last = rows.at(-1);
        if (last === undefined) return;
        // Written by us alone.
        for (const { face, ...image } of rows) yield { ...image, face: JSON.parse(face) };
        after = last.id;
      }
    },

    countMissing: (gallery: GalleryRef): Promise<number> => countMissing(query, gallery),
    /** Images by the embedder that has described them. */
    countVectors: (
      perception: Omit<GalleryRef, 'embedder'>,
    ): Promise<readonly { embedder: string; images: number }[]> => countVectors(query, perception),

    async countLeftOut(gallery: GalleryRef): Promise<number> {
      const row = await leftOutOf(gallery)
        .select((from) => from.fn.countAll<number>().as('count'))
        .executeTakeFirst();
      return row?.count ?? 0;
    },

    listLeftOut: (gallery: GalleryRef, limit: number): Promise<readonly LeftOutImage[]> =>
      leftOutOf(gallery)
        .select(['face_not_embedded.image_id as imageId', 'face_not_embedded.reason'])
        .orderBy('face_not_embedded.image_id')
        .limit(limit)
        .execute(),

    /** A statement: the images are missing again. */
    forgetLeftOut: ({ accountId, perceptionId, embedder }: GalleryRef): Compilable =>
      query
        .deleteFrom('face_not_embedded')
        .where('account_id', '=', accountId)
        .where('embedder', '=', embedder)
        .where('image_id', 'in', (from) =>
          from
            .selectFrom('face_image')
            .select('face_image.id')
            .where('face_image.account_id', '=', accountId)
            .where('face_image.perception_id', '=', perceptionId),
        ),

    /** False when the image is gone. The fence of the job that does it ends the unit. */
    keepVector: (
      gallery: GalleryRef,
      { id, face }: Pick<ImageToEmbed, 'id' | 'face'>,
      { vector, quality }: EmbeddedImage,
      fence: readonly Compilable[],
    ): Promise<boolean> =>
      writeUnlessGone([
        query
          .updateTable('face_image')
          .set({ face: JSON.stringify({ ...face, quality }) })
          .where('account_id', '=', gallery.accountId)
          .where('id', '=', id),
        ...keepVector(database, gallery, id, vector),
        ...fence,
      ]),

    /** The same of an image that gets no vector. */
    leaveOut: (
      { accountId, embedder }: GalleryRef,
      { imageId, reason }: LeftOutImage,
      fence: readonly Compilable[],
    ): Promise<boolean> =>
      writeUnlessGone([
        query
          .insertInto('face_not_embedded')
          .values({ account_id: accountId, image_id: imageId, embedder, reason })
          .onConflict((conflict) =>
            conflict.columns(['account_id', 'image_id', 'embedder']).doUpdateSet({ reason }),
          ),
        ...fence,
      ]),
  };
}

/** Two statements, which fail as `constraint` where the image is gone. */
export function keepVector(
  { query }: Pick<Database, 'query'>,
  { accountId, embedder }: Omit<GalleryRef, 'perceptionId'>,
  imageId: number,
  embedding: Float32Array,
): readonly Compilable[] {
  const vector = toVectorBytes(embedding);
  return [
    query
      .deleteFrom('face_not_embedded')
      .where('account_id', '=', accountId)
      .where('image_id', '=', imageId)
      .where('embedder', '=', embedder),
    query
      .insertInto('face_embedding')
      .values({ account_id: accountId, image_id: imageId, embedder, vector })
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'image_id', 'embedder']).doUpdateSet({ vector }),
      ),
  ];
}
