import type { BlobStore } from '../storage/blobs/blob-store.js';
import { sweepOrphanBlobs } from '../storage/blobs/sweep-orphans.js';
import type { Database } from '../storage/database.js';

/** Deletes files that no picture of a dataset names; answers how many. */
export function sweepOrphanDatasetPictures(
  { query }: Pick<Database, 'query'>,
  blobs: Pick<BlobStore, 'list' | 'remove'>,
  nowMs: number,
): Promise<number> {
  const namesOf = async (ids: readonly string[]) => {
    const rows = await query
      .selectFrom('dataset_picture')
      .select('blob_id as blobId')
      .where('blob_id', 'in', ids)
      .execute();
    return rows.map(({ blobId }) => blobId);
  };
  return sweepOrphanBlobs(blobs, namesOf, nowMs);
}
