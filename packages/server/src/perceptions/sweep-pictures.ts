import type { BlobStore } from '../storage/blobs/blob-store.js';
import { sweepOrphanBlobs } from '../storage/blobs/sweep-orphans.js';
import type { Database } from '../storage/database.js';

/** Deletes pictures that no face image names; answers how many. */
export function sweepOrphanFacePictures(
  { query }: Pick<Database, 'query'>,
  pictures: Pick<BlobStore, 'list' | 'remove'>,
  nowMs: number,
): Promise<number> {
  const namesOf = async (ids: readonly string[]) => {
    const rows = await query
      .selectFrom('face_image')
      .select('blob_id as blobId')
      .where('blob_id', 'in', ids)
      .execute();
    return rows.map(({ blobId }) => blobId);
  };
  return sweepOrphanBlobs(pictures, namesOf, nowMs);
}
