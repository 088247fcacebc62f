import type { Compilable } from 'kysely';
import type { BlobStore } from './blobs/blob-store.js';
import type { Database, WriteResult } from './database.js';
import { StorageError } from './storage-error.js';

export interface RemovedImages {
  readonly images: number;
  /** Embeddings or labels. */
  readonly dependents: number;
  readonly bytes: number;
}

export interface ImageOwner {
  readonly column: 'person_id' | 'perception_id' | 'dataset_id';
  readonly id: number;
  /** Hidden already. Then files go first: a crash in between leaves no file without a row. */
  readonly isHidden: boolean;
}

interface ImageRemovalDeps {
  readonly database: Pick<Database, 'query' | 'write'>;
  readonly files: Pick<BlobStore, 'remove'>;
  readonly table: 'face_image' | 'dataset_image';
  readonly dependents: 'face_embedding' | 'dataset_label';
}

/** Images in one unit, so that it does not hold up other writers. */
const batchSize = 300;
const none: RemovedImages = { images: 0, dependents: 0, bytes: 0 };

/** Deletes images for good: their rows, the rows that belong to them, and their files. */
export function createImageRemoval({ database, files, table, dependents }: ImageRemovalDeps) {
  const { query } = database;

  /** Adds what it removed to `before`. */
  const removeBatch = async (
    accountId: number,
    ids: readonly number[],
    before: RemovedImages,
  ): Promise<RemovedImages> => {
    const [deletedDependents, deleted] = await database.write([
      query.deleteFrom(dependents).where('account_id', '=', accountId).where('image_id', 'in', ids),
      query
        .deleteFrom(table)
        .where('account_id', '=', accountId)
        .where('id', 'in', ids)
        .returning(['blob_id', 'image_bytes']),
    ]);
    const rows = deleted?.rows ?? [];
    await Promise.all(rows.map((row) => files.remove(String(row['blob_id']))));
    return {
      images: before.images + rows.length,
      dependents: before.dependents + (deletedDependents?.changes ?? 0),
      bytes: rows.reduce((sum, row) => sum + Number(row['image_bytes']), before.bytes),
    };
  };

  return {
    /** Those of these ids that exist in the account. */
    async removeIds(accountId: number, ids: readonly number[]): Promise<RemovedImages> {
      let removed = none;
      for (let at = 0; at < ids.length; at += batchSize) {
        removed = await removeBatch(accountId, ids.slice(at, at + batchSize), removed);
      }
      return removed;
    },

    /** All images of an owner, then the owner's own rows; repeated when images were added in between. */
    async removeOwner(
      accountId: number,
      { column, id, isHidden }: ImageOwner,
      ownRows: readonly Compilable[],
    ): Promise<{ readonly removed: RemovedImages; readonly ownRows: readonly WriteResult[] }> {
      let removed = none;
      for (;;) {
        const rows = await query
          .selectFrom(table)
          .select(['id', 'blob_id'])
          .where('account_id', '=', accountId)
          .where(column, '=', id)
          .limit(batchSize)
          .execute();
        if (rows.length > 0) {
          if (isHidden) await Promise.all(rows.map((row) => files.remove(row.blob_id)));
          const ids = rows.map((row) => row.id);
          removed = await removeBatch(accountId, ids, removed);
          continue;
        }
        const deleted = await database.write(ownRows).catch((error: unknown) => {
          // An image was added meanwhile, which refers to its owner.
          if (error instanceof StorageError && error.code === 'constraint') return null;
          throw error;
        });
        if (deleted !== null) return { removed, ownRows: deleted };
      }
    },
  };
}
