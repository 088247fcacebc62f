import { randomUUID } from 'node:crypto';
import { mkdir, opendir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ifMissing } from '../storage/missing-file.js';

/** What a picture belongs to; thumbnails of each lie in a folder of their own. */
export const pictureOwners = ['analysis', 'face', 'dataset', 'drop'] as const;
export type PictureOwner = (typeof pictureOwners)[number];

/** A picture by the id of its bytes. */
export interface PictureRef {
  readonly owner: PictureOwner;
  readonly id: string;
}

export interface ListedThumbnails {
  readonly picture: PictureRef;
  /** Of all thumbnails of the picture. */
  readonly sizeBytes: number;
  /** Milliseconds since 1970, of the youngest. */
  readonly writtenMs: number;
}

/**
 * Thumbnails as files, a folder a picture, so that they go with it at once. Nothing is synced: what is lost is made again.
 */
export interface ThumbnailFiles {
  /** Null when there is none. */
  read(picture: PictureRef, name: string): Promise<Buffer | null>;
  write(picture: PictureRef, name: string, jpeg: Uint8Array): Promise<void>;
  /** All of a picture; answers the bytes that are free now. */
  remove(picture: PictureRef): Promise<number>;
  list(): AsyncIterable<ListedThumbnails>;
}

/** As drops name what goes with their files, too. */
const idPattern = /^[a-z0-9-]{8,100}(\.xmp)?$/;
/** So many characters of an id name the folder it is in: no folder then grows without bound. */
const shardLength = 2;
const writing = 'writing';

/** @param isBeside whether a service may be at work on them */
export async function openThumbnailFiles(dir: string, { isBeside = false } = {}): Promise<ThumbnailFiles> {
  const writingDir = join(dir, writing);
  if (!isBeside) await rm(writingDir, { recursive: true, force: true });
  await mkdir(writingDir, { recursive: true, mode: 0o700 });

  const folderOf = ({ owner, id }: PictureRef) => {
    if (!idPattern.test(id)) throw new TypeError('this is no id of a picture');
    return join(dir, owner, id.slice(0, shardLength), id);
  };
  return {
    read: (picture, name) => readFile(join(folderOf(picture), name)).catch(ifMissing(null)),

    async write(picture, name, jpeg) {
      const passing = join(writingDir, randomUUID());
      try {
        await writeFile(passing, jpeg, { mode: 0o600 });
        await mkdir(folderOf(picture), { recursive: true, mode: 0o700 });
        await rename(passing, join(folderOf(picture), name));
      } finally {
        await rm(passing, { force: true });
      }
    },

    async remove(picture) {
      const folder = folderOf(picture);
      const { sizeBytes } = await measure(folder);
      if (sizeBytes > 0) await rm(folder, { recursive: true, force: true });
      return sizeBytes;
    },

    async *list() {
      for (const owner of pictureOwners) {
        for (const shard of await readdir(join(dir, owner)).catch(ifMissing<string[]>([]))) {
          for await (const { name: id } of await opendir(join(dir, owner, shard))) {
            if (!idPattern.test(id)) continue;
            yield { picture: { owner, id }, ...(await measure(join(dir, owner, shard, id))) };
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
