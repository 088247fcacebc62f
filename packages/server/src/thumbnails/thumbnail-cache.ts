import type { ListedThumbnails, PictureRef, ThumbnailFiles } from './thumbnail-files.js';

/** Thumbnails that were made already, within so many bytes. */
export interface ThumbnailCache {
  read(picture: PictureRef, name: string): Promise<Buffer | null>;
  /** Makes room by the oldest pictures when there is none left. */
  write(picture: PictureRef, name: string, jpeg: Uint8Array): Promise<void>;
  /** The picture is deleted, and its thumbnails with it. */
  forget(picture: PictureRef): Promise<void>;
  /** Removes thumbnails of pictures that there are no longer, and what is over the limit. */
  sweep(isThere: (picture: PictureRef) => Promise<boolean>): Promise<void>;
}

/** How far room is made, so that it is not made with every thumbnail. */
const keptShare = 0.8;

export function createThumbnailCache(files: ThumbnailFiles, maxBytes: number): ThumbnailCache {
  /** What was written since the files were last counted, and what there was then. */
  let knownBytes: number | null = null;
  let making: Promise<void> | null = null;

  const makeRoom = async () => {
    const listed: ListedThumbnails[] = [];
    for await (const each of files.list()) listed.push(each);
    let bytes = listed.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    if (bytes > maxBytes) {
      for (const { picture } of listed.sort((one, other) => one.writtenMs - other.writtenMs)) {
        if (bytes <= maxBytes * keptShare) break;
        bytes -= await files.remove(picture);
      }
    }
    knownBytes = bytes;
  };
  const makeRoomOnce = () => {
    making ??= makeRoom().finally(() => {
      making = null;
    });
    return making;
  };
  return {
    read: (picture, name) => files.read(picture, name),

    async write(picture, name, jpeg) {
      await files.write(picture, name, jpeg);
      if (knownBytes !== null) knownBytes += jpeg.byteLength;
      if (knownBytes === null || knownBytes > maxBytes) await makeRoomOnce();
    },

    async forget(picture) {
      const bytes = await files.remove(picture);
      if (knownBytes !== null) knownBytes -= bytes;
    },

    async sweep(isThere) {
      for await (const { picture } of files.list()) {
        if (!(await isThere(picture))) await files.remove(picture);
      }
      await makeRoomOnce();
    },
  };
}
