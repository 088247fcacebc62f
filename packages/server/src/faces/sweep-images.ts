import type { BlobStore } from '../storage/blobs/blob-store.js';
import type { Database } from '../storage/database.js';
import type { SweptStore } from '../storage/quarantine/sweep-store.js';

/** Images of faces, which rows of face images name. */
export function sweptFaceImages(
  { query }: Pick<Database, 'query'>,
  { list, pathOf }: Pick<BlobStore, 'list' | 'pathOf'>,
): SweptStore {
  return {
    name: 'faces',
    list,
    pathOf,
    async findNamed(ids) {
      const rows = await query
        .selectFrom('face_image')
        .select('blob_id as blobId')
        .where('blob_id', 'in', ids)
        .execute();
      return new Set(rows.map(({ blobId }) => blobId));
    },
  };
}
