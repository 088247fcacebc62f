import type { ImageRef, ListedThumbnails, ThumbnailFiles } from './thumbnail-files.js';

/** Thumbnails that were made already, within so many bytes. */
export type ThumbnailCache = ReturnType<typeof createThumbnailCache>;

/** How far room is made, so that it is not made with every thumbnail. */
const keptShare = 0.8;

export function createThumbnailCache(files: ThumbnailFiles, maxBytes: number) {
  /** What was written since the files were last counted, and what there was then. */
  let knownBytes: number | null = null;
  let making: Promise<void> | null = null;

  const evict = async () => {
    const listed: ListedThumbnails[] = [];
    for await (const each of files.list()) listed.push(each);
    let bytes = listed.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    if (bytes > maxBytes) {
      for (const { image } of listed.sort((one, other) => one.writtenMs - other.writtenMs)) {
        if (bytes <= maxBytes * keptShare) break;
        bytes -= await files.remove(image);
      }
    }
    knownBytes = bytes;
  };
  const evictOnce = () => {
    making ??= evict().finally(() => {
      making = null;
    });
    return making;
  };
  return {
    read: (image: ImageRef, name: string): Promise<Buffer | null> => files.read(image, name),

    /** Makes room by the oldest images when there is none left. */
    async write(image: ImageRef, name: string, jpeg: Uint8Array) {
      await files.write(image, name, jpeg);
      if (knownBytes !== null) knownBytes += jpeg.byteLength;
      if (knownBytes === null || knownBytes > maxBytes) await evictOnce();
    },

    /** The image is deleted, and its thumbnails with it. */
    async forget(image: ImageRef) {
      const bytes = await files.remove(image);
      if (knownBytes !== null) knownBytes -= bytes;
    },

    /** Removes thumbnails of images that there are no longer, and what is over the limit. */
    async sweep(isThere: (image: ImageRef) => Promise<boolean>) {
      for await (const { image } of files.list()) {
        if (!(await isThere(image))) await files.remove(image);
      }
      await evictOnce();
    },
  };
}
