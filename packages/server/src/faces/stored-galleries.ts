import type { Database } from '../storage/database.js';
import { prepare, type ValueOf } from '../storage/prepare.js';
import type { GalleryRef, IndexedFace } from './index/face-index.js';
import { fromVectorBytes } from './vector-bytes.js';

/** What became of the images of a gallery since a position. */
interface GalleryChanges {
  /** The position after these changes. */
  readonly position: number;
  readonly present: readonly IndexedFace[];
  /** Image ids. */
  readonly gone: readonly number[];
  readonly mayHaveMore: boolean;
}

/** Galleries as the database has them, for an index to follow. */
export type StoredGalleries = ReturnType<typeof createStoredGalleries>;

interface StoredGalleriesDeps {
  readonly database: Pick<Database, 'query'>;
  readonly onDamaged: DamageListener;
}

/** Called for an image whose stored vector is invalid; it is left out. */
export type DamageListener = (gallery: GalleryRef, imageId: number, reason: string) => void;

/** Rows a page: some 1 MB of vectors, so that no thread is held long. */
const pageRows = 500;
/** How far the length of a stored vector may be from 1. */
const lengthTolerance = 1e-2;

interface StoredFace {
  readonly imageId: number;
  /** Null where the image is gone. */
  readonly personId: number | null;
  /** Null where the embedder has not described it. */
  readonly vector: Uint8Array | null;
}

type ChangesAsked = GalleryRef & { readonly position: number };

export function createStoredGalleries({ database, onDamaged }: StoredGalleriesDeps) {
  const { query } = database;

  // Of every search.
  const changes = prepare(query, (from, value: ValueOf<ChangesAsked>) =>
    from
      .selectFrom('face_change')
      .select(['change', 'image_id as imageId'])
      // Looked up one by one and not joined: a database without fresh statistics joins in an order that takes seconds.
      .select((row) => [
        row
          .selectFrom('face_image')
          .select('person_id')
          .whereRef('face_image.account_id', '=', 'face_change.account_id')
          .whereRef('face_image.id', '=', 'face_change.image_id')
          .whereRef('face_image.perception_id', '=', 'face_change.perception_id')
          .as('personId'),
        row
          .selectFrom('face_embedding')
          .select('vector')
          .whereRef('face_embedding.account_id', '=', 'face_change.account_id')
          .whereRef('face_embedding.image_id', '=', 'face_change.image_id')
          .where('face_embedding.embedder', '=', value('embedder'))
          .as('vector'),
      ])
      .where('account_id', '=', value('accountId'))
      .where('perception_id', '=', value('perceptionId'))
      .where('change', '>', value('position'))
      .orderBy('change')
      .limit(pageRows),
  );

  const readFace = (
    gallery: GalleryRef,
    { imageId, personId, vector }: StoredFace,
  ): readonly IndexedFace[] => {
    if (personId === null || vector === null) return [];
    try {
      return [{ imageId, personId, vector: checkLength(fromVectorBytes(vector)) }];
    } catch (error) {
      onDamaged(gallery, imageId, error instanceof Error ? error.message : String(error));
      return [];
    }
  };

  return {
    /** How many changes the gallery has seen; read before its faces. Null where there is no such perception. */
    async position({ accountId, perceptionId }: GalleryRef): Promise<number | null> {
      const row = await query
        .selectFrom('perception')
        .select('face_changes')
        .where('account_id', '=', accountId)
        .where('id', '=', perceptionId)
        .executeTakeFirst();
      return row?.face_changes ?? null;
    },

    /** All faces by image id, in pages. */
    async *faces(gallery: GalleryRef): AsyncIterable<readonly IndexedFace[]> {
      const { accountId, perceptionId, embedder } = gallery;
      for (let after = 0; ; ) {
        const rows = await query
          .selectFrom('face_image')
          .select(['id as imageId', 'person_id as personId'])
          .select((row) =>
            row
              .selectFrom('face_embedding')
              .select('vector')
              .whereRef('face_embedding.account_id', '=', 'face_image.account_id')
              .whereRef('face_embedding.image_id', '=', 'face_image.id')
              .where('face_embedding.embedder', '=', embedder)
              .as('vector'),
          )
          .where('account_id', '=', accountId)
          .where('perception_id', '=', perceptionId)
          .where('id', '>', after)
          .orderBy('id')
          .limit(pageRows)
          .execute();
        const last = rows.at(-1);
        if (last === undefined) return;
        yield rows.flatMap((row) => readFace(gallery, row));
        after = last.imageId;
      }
    },

    /** Of images as they are now; null when that long ago is remembered no longer, so that all faces must be read. */
    async changesAfter(gallery: GalleryRef, position: number): Promise<GalleryChanges | null> {
      const { rows } = await query.executeQuery(changes({ ...gallery, position }));
      const [first, last] = [rows[0], rows.at(-1)];
      if (!first || !last) return { position, present: [], gone: [], mayHaveMore: false };
      if (first.change !== position + 1) return null;
      // An image that changed twice is read twice, both times as it is now.
      const byImage = new Map(rows.map((row) => [row.imageId, row]));
      const present: IndexedFace[] = [];
      const gone: number[] = [];
      for (const row of byImage.values()) {
        const face = readFace(gallery, row);
        if (face.length === 0) gone.push(row.imageId);
        else present.push(...face);
      }
      return { position: last.change, present, gone, mayHaveMore: rows.length === pageRows };
    },

    /** The galleries in use, those changed most often first. */
    mostChanged: (limit: number): Promise<readonly GalleryRef[]> =>
      query
        .selectFrom('perception')
        .select(['account_id as accountId', 'id as perceptionId', 'embedder'])
        .where('deleted_at', 'is', null)
        .where('face_changes', '>', 0)
        .orderBy('face_changes', 'desc')
        .limit(limit)
        .execute(),
  };
}

/** Every vector was stored with length 1; one that was cut or overwritten has it no longer. */
function checkLength(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (Math.abs(Math.sqrt(squares) - 1) < lengthTolerance) return vector;
  throw new Error(`a stored vector of ${vector.length} numbers has the length ${Math.sqrt(squares)}, not 1`);
}
