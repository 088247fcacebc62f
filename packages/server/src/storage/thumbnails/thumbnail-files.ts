import { randomUUID } from 'node:crypto';
import { mkdir, opendir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ifMissing } from '../missing-file.js';

/** What an image belongs to; thumbnails of each lie in a folder of their own. */
const imageOwners = ['analysis', 'face', 'dataset', 'drop'] as const;
export type ImageOwner = (typeof imageOwners)[number];

/** An image by the id of its bytes. */
export interface ImageRef {
  readonly owner: ImageOwner;
  readonly id: string;
}

export interface ListedThumbnails {
  readonly image: ImageRef;
  /** Of all thumbnails of the image. */
  readonly sizeBytes: number;
  /** Milliseconds since 1970, of the youngest. */
  readonly writtenMs: number;
}

/**
 * Thumbnails as files, a folder an image, so that they go with it at once. Nothing is synced: what is lost is made again.
 */
export type ThumbnailFiles = Awaited<ReturnType<typeof openThumbnailFiles>>;

/** As drops name what goes with their files, too. */
const idPattern = /^[a-z0-9-]{8,100}(\.xmp)?$/;
/** So many characters of an id name the folder it is in: no folder then grows without bound. */
const shardLength = 2;
const writing = 'writing';

/** @param isBeside whether a service may be at work on them */
export async function openThumbnailFiles(dir: string, { mayServiceBeRunning = false } = {}) {
  const writingDir = join(dir, writing);
  if (!mayServiceBeRunning) await rm(writingDir, { recursive: true, force: true });
  await mkdir(writingDir, { recursive: true, mode: 0o700 });

  const folderOf = ({ owner, id }: ImageRef) => {
    if (!idPattern.test(id)) throw new TypeError('this is no id of an image');
    return join(dir, owner, id.slice(0, shardLength), id);
  };
  return {
    /** Null when there is none. */
    read: (image: ImageRef, name: string): Promise<Buffer | null> =>
      readFile(join(folderOf(image), name)).catch(ifMissing(null)),

    async write(image: ImageRef, name: string, jpeg: Uint8Array) {
      const temporaryPath = join(writingDir, randomUUID());
      try {
        await writeFile(temporaryPath, jpeg, { mode: 0o600 });
        await mkdir(folderOf(image), { recursive: true, mode: 0o700 });
        await rename(temporaryPath, join(folderOf(image), name));
      } finally {
        await rm(temporaryPath, { force: true });
      }
    },

    /** All of an image; answers the bytes that are free now. */
    async remove(image: ImageRef): Promise<number> {
      const folder = folderOf(image);
      const { sizeBytes } = await measure(folder);
      if (sizeBytes > 0) await rm(folder, { recursive: true, force: true });
      return sizeBytes;
    },

    async *list(): AsyncIterable<ListedThumbnails> {
      for (const owner of imageOwners) {
        for (const shard of await readdir(join(dir, owner)).catch(ifMissing<string[]>([]))) {
          for await (const { name: id } of await opendir(join(dir, owner, shard))) {
            if (!idPattern.test(id)) continue;
            yield { image: { owner, id }, ...(await measure(join(dir, owner, shard, id))) };
          }
        }
      }
    },
  };
}

async function measure(folder: string): Promise<{ readonly sizeBytes: number; readonly writtenMs: number }> {
  let sizeBytes = 0;
  let writtenMs = 0;
  for (const name of await readdir(folder).catch(ifMissing<string[]>([]))) {
    const found = await stat(join(folder, name)).catch(ifMissing(null));
    sizeBytes += found?.size ?? 0;
    writtenMs = Math.max(writtenMs, found?.mtimeMs ?? 0);
  }
  return { sizeBytes, writtenMs };
}
