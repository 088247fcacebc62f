import { ServiceError } from '../../core/service-error.js';
import { collect, type HeldImage, imageMemoryMaxBytes } from '../../intake/held-image.js';
import type { Spool } from '../../intake/spool.js';
import type { BlobStore } from '../../storage/blobs/blob-store.js';

/** Makes a stored image one that can be looked at; null where there is none. Throws `service_busy` when the spool is full. */
export type HoldFaceImage = (blobId: string, signal: AbortSignal) => Promise<HeldImage | null>;

export function createHoldFaceImage(deps: {
  readonly imageFiles: Pick<BlobStore, 'read'>;
  readonly spool: Spool;
}): HoldFaceImage {
  return async (blobId, signal) => {
    const stored = await deps.imageFiles.read(blobId);
    if (stored === null) return null;
    try {
      return await collect(stored.stream, {
        spool: deps.spool,
        memoryMaxBytes: imageMemoryMaxBytes,
        // It was taken once, perhaps under another limit.
        maxBytes: stored.sizeBytes,
        tooLarge: () => new ServiceError('internal_error', 'a stored image is larger than it was'),
        signal,
      });
    } finally {
      stored.stream.destroy();
    }
  };
}
