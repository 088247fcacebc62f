import type { BlobStore } from '../storage/blobs/blob-store.js';
import type { Database } from '../storage/database.js';
import type { SweptStore } from '../storage/quarantine/sweep-store.js';
import { sweptFiles } from '../storage/quarantine/swept-files.js';

/** Images of datasets. */
export function sweptDatasetImages(
  database: Pick<Database, 'query'>,
  files: Pick<BlobStore, 'list' | 'pathOf'>,
): SweptStore {
  return sweptFiles('datasets', database, files, { table: 'dataset_image', column: 'blob_id' });
}
