import type { BlobStore } from '../storage/blobs/blob-store.js';
import type { Database } from '../storage/database.js';
import type { SweptStore } from '../storage/quarantine/sweep-store.js';
import { sweptFiles } from '../storage/quarantine/swept-files.js';

/** Images of faces. */
export function sweptFaceImages(
  database: Pick<Database, 'query'>,
  files: Pick<BlobStore, 'list' | 'pathOf'>,
): SweptStore {
  return sweptFiles('faces', database, files, { table: 'face_image', column: 'blob_id' });
}
