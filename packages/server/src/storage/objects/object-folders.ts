import { createHash } from 'node:crypto';
import { tarOfFolder, unpackFolder } from '../archive/folder-tar.js';
import { TarError } from '../archive/read-tar.js';
import type { BlobStore, HeldFile } from '../blobs/blob-store.js';
import type { DiskGuard } from '../disk-guard.js';
import { StorageError } from '../storage-error.js';
import type { Bucket } from './bucket.js';
import type { FolderCache } from './folder-cache.js';

/** Folders as objects of a bucket, a tar file each, the same for all replicas. What is in one never changes. */
export interface ObjectFolders extends Pick<BlobStore, 'sizeOf' | 'remove' | 'list' | 'placeOf'> {
  /** Where a folder is on this machine while it is held. */
  folder(id: string): string;
  /** Null for a path that is no folder of an object. */
  idOf(path: string): string | null;
  /** Brings a folder to this machine, until it is released; null when there is none. */
  hold(id: string): Promise<HeldFile | null>;
  /** Durable in the bucket when it resolves. The folder is taken over. */
  keep(id: string, folder: string): Promise<void>;
  /** Ids of folders that are on this machine. */
  kept(): readonly string[];
  /** Deletes a folder on this machine: the object may have been deleted through another replica. */
  forget(id: string): Promise<void>;
}

interface ObjectFoldersDeps {
  readonly bucket: Bucket;
  /** Of the tar files. */
  readonly blobs: BlobStore;
  readonly cache: FolderCache;
  /** Whose reserve what is brought leaves alone. */
  readonly disk: Pick<DiskGuard, 'guard'>;
}

/** An upload has 200 files at most, and few are made of them. */
const maxFiles = 1000;

export function createObjectFolders({ bucket, blobs, cache, disk }: ObjectFoldersDeps): ObjectFolders {
  const bring = async (id: string, dir: string): Promise<boolean> => {
    const key = blobs.placeOf(id);
    const found = await bucket.get(key);
    if (found === null) return false;
    const hash = createHash('sha256');
    const content = async function* () {
      for await (const piece of orAway(found.stream, key)) {
        hash.update(piece);
        yield piece;
      }
    };
    try {
      await unpackFolder(disk.guard(content()), dir, { maxFiles, isDurable: false });
    } catch (error) {
      throw error instanceof TarError ? damaged(key, error.message, error) : error;
    } finally {
      found.stream.destroy();
    }
    if (found.sha256 !== null && found.sha256 !== hash.digest('hex'))
      throw damaged(key, 'it has another SHA-256 than was written');
    return true;
  };
  const damaged = (key: string, reason: string, cause?: unknown) =>
    new StorageError(
      'damaged',
      `${bucket.shown}/${key} is damaged (${reason}): bring back an older version of this object.`,
      { cause },
    );

  /** What is given up while it is read may succeed later. */
  const orAway = async function* (pieces: AsyncIterable<Uint8Array>, key: string) {
    try {
      yield* pieces;
    } catch (error) {
      if (error instanceof StorageError) throw error;
      throw new StorageError(
        'away',
        `The connection to ${bucket.shown} broke while reading ${key}; try again.`,
        {
          cause: error,
        },
      );
    }
  };

  return {
    list: () => blobs.list(),
    sizeOf: (id) => blobs.sizeOf(id),
    placeOf: (id) => blobs.placeOf(id),
    folder: (id) => cache.folderOf(id),
    idOf: (path) => cache.keyOf(path),
    kept: () => cache.keys(),
    forget: (id) => cache.forget(id),
    hold: (id) => cache.hold(id, (dir) => bring(id, dir)),

    async keep(id, folder) {
      const tar = await tarOfFolder(folder);
      if (tar === null) throw new Error(`${folder} has no file`);
      await blobs.write(id, tar.content);
      // It is needed soon. Where it cannot be kept, it is brought again.
      await cache.adopt(id, folder).catch(() => undefined);
    },

    async remove(id) {
      await blobs.remove(id);
      await cache.forget(id);
    },
  };
}
