import { ServiceError } from '../../errors/service-error.js';
import { collect } from '../../intake/collect.js';
import { type HeldPicture, holdCollected, pictureMemoryMaxBytes } from '../../intake/held-picture.js';
import type { Spool } from '../../intake/spool.js';
import type { BlobStore } from '../../storage/blobs/blob-store.js';

/** Makes a stored picture one that can be looked at; null where there is none. Throws `service_busy` when the spool is full. */
export type HoldStoredPicture = (blobId: string, signal: AbortSignal) => Promise<HeldPicture | null>;

export function createHoldStoredPicture(deps: {
  readonly pictures: Pick<BlobStore, 'read'>;
  readonly spool: Spool;
}): HoldStoredPicture {
  return async (blobId, signal) => {
    const stored = await deps.pictures.read(blobId);
    if (stored === null) return null;
    try {
      const collected = await collect(stored.stream, {
        spool: deps.spool,
        memoryMaxBytes: pictureMemoryMaxBytes,
        // It was taken once, perhaps under another limit.
        maxBytes: stored.sizeBytes,
        tooLarge: () => new ServiceError('internal_error', 'a stored picture is larger than it was'),
        signal,
      });
      return holdCollected(collected, 'binary');
    } finally {
      stored.stream.destroy();
    }
  };
}
