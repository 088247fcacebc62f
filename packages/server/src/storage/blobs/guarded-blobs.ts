import type { DiskGuard } from '../disk-guard.js';
import type { BlobStore } from './blob-store.js';

/** The same store, for large blobs: writing ends with `no_space`, and leaves nothing, before it takes of the reserve. */
export function guardBlobs(blobs: BlobStore, disk: Pick<DiskGuard, 'guard'>): BlobStore {
  return { ...blobs, write: (id, content) => blobs.write(id, disk.guard(content)) };
}
