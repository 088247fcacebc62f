import type { DiskRoom } from '../disk-room.js';
import type { BlobStore } from './blob-store.js';

/** The same store, for large blobs: writing ends with `no_space`, and leaves nothing, before it takes of the reserve. */
export function guardBlobs(blobs: BlobStore, disk: Pick<DiskRoom, 'guard'>): BlobStore {
  return { ...blobs, write: (id, content) => blobs.write(id, disk.guard(content)) };
}
