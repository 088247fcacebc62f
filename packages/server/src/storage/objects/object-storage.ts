import { readBucketAddress } from '../../core/bucket-address.js';
import type { Settings } from '../../core/settings.js';
import type { BlobStore } from '../blobs/blob-store.js';
import { ownerOfId } from '../blobs/owned-id.js';
import type { DataFolder } from '../data-folder.js';
import { createDiskGuard, type DiskGuard, type DiskGuardOptions } from '../disk-guard.js';
import type { StoreName } from '../quarantine/store-names.js';
import { StorageError } from '../storage-error.js';
import type { Bucket } from './bucket.js';
import { type FileCache, openFileCache } from './file-cache.js';
import { openFolderCache } from './folder-cache.js';
import { createObjectBlobs } from './object-blobs.js';
import { createObjectFolders, type ObjectFolders } from './object-folders.js';

/** Stores whose bytes lie in the bucket, where there is one; the others are folders still. */
export const storesInBucket = [
  'images',
  'faces',
  'datasets',
  'imports',
  'models',
  'drops',
  'media',
] as const satisfies StoreName[];
type StoreInBucket = (typeof storesInBucket)[number];

/** Those that are the same in a folder and in the bucket; a file of a drop is several objects there. */
export const movedStores = [
  'images',
  'faces',
  'datasets',
  'imports',
  'models',
  'media',
] as const satisfies StoreInBucket[];
export type MovedStoreName = (typeof movedStores)[number];
/** Stores of files; the others have folders. */
export type BlobStoreName = Exclude<MovedStoreName, 'models'>;

/** The bucket of an installation, and the stores in it. */
export interface ObjectStorage {
  readonly bucket: Bucket;
  /** Of models, the tar files of their folders. */
  blobs(store: StoreInBucket): BlobStore;
  /** Files of objects on this machine. */
  readonly cache: FileCache;
  /** Versions of customers' models. */
  readonly models: ObjectFolders;
  /** Of the data folder. Files and folders of objects that nobody holds go before anything is refused. */
  readonly disk: DiskGuard;
  /** Deletes files and folders of an account's objects on this machine: another replica may have deleted the objects. */
  forgetOwned(accountId: number): Promise<void>;
  close(): void;
}

type ObjectSettings = Pick<
  Settings,
  | 'blobs'
  | 'blobsEndpoint'
  | 'blobsRegion'
  | 'blobsPathStyle'
  | 'blobsEncryption'
  | 'blobsEncryptionKey'
  | 'blobCacheMaxMb'
  | 'modelCacheMaxMb'
  | 'diskReserveBytes'
>;

const mebibyte = 1024 * 1024;

/**
 * Null where blobs lie in the data folder. The library, which is large, is loaded where there is a bucket alone.
 * @param folder has the caches of files and of models, which are emptied
 */
export async function openObjectStorage(
  settings: ObjectSettings,
  folder: Pick<DataFolder, 'dir' | 'blobCacheDir' | 'modelCacheDir'>,
  readFreeBytes?: DiskGuardOptions['readFreeBytes'],
): Promise<ObjectStorage | null> {
  if (settings.blobs === '') return null;
  const bucket = await openConfiguredBucket(settings);
  const disk = createDiskGuard({
    dir: folder.dir,
    reserveBytes: settings.diskReserveBytes,
    ...(readFreeBytes ? { readFreeBytes } : {}),
    // Files are brought sooner than models.
    giveUp: async (bytes) => folders.giveUp(bytes - (await cache.giveUp(bytes))),
  });
  const cache = await openFileCache(folder.blobCacheDir, settings.blobCacheMaxMb * mebibyte, disk);
  const folders = await openFolderCache(folder.modelCacheDir, settings.modelCacheMaxMb * mebibyte);
  const blobs = (store: StoreInBucket) =>
    createObjectBlobs(bucket, cache, store, { keepsWritten: store !== 'models' });
  return {
    bucket,
    cache,
    blobs,
    disk,
    models: createObjectFolders({ bucket, blobs: blobs('models'), cache: folders, disk }),
    async forgetOwned(accountId) {
      await cache.forgetAll((key) => ownerOfId(key.slice(key.indexOf('-') + 1)) === accountId);
      await folders.forgetAll((id) => ownerOfId(id) === accountId);
    },
    close: () => bucket.close(),
  };
}

/** The bucket of these settings. Throws where they name none. */
export async function openConfiguredBucket(settings: ObjectSettings): Promise<Bucket> {
  const address = readBucketAddress(settings.blobs);
  if (typeof address === 'string') throw new StorageError('access', `The setting blobs ${address}.`);
  const { openBucket } = await import('./open-bucket.js');
  return openBucket({
    address,
    endpoint: settings.blobsEndpoint,
    region: settings.blobsRegion,
    isPathStyle: settings.blobsPathStyle,
    encryption: settings.blobsEncryption,
    encryptionKeyId: settings.blobsEncryptionKey,
  });
}
