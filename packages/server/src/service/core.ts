import type { ModelRef, ProcessRunner, Trainer } from '@lynceus/engine';
import type { Clock } from '../core/clock.js';
import type { Logger } from '../core/logger.js';
import type { Metrics } from '../core/metrics.js';
import type { Settings } from '../core/settings.js';
import type { Spool } from '../intake/spool.js';
import type { BlobStore } from '../storage/blobs/blob-store.js';
import { openFolderBlobs } from '../storage/blobs/folder-blobs.js';
import { blobsDir, type DataFolder } from '../storage/data-folder.js';
import type { Database } from '../storage/database.js';
import { createDiskGuard, type DiskGuard } from '../storage/disk-guard.js';
import { createProcessLeases, type ProcessLeases } from '../storage/leases/process-leases.js';
import type { BlobStoreName, ObjectStorage } from '../storage/objects/object-storage.js';
import { openQuarantineOf } from '../storage/quarantine/open-quarantine.js';
import type { Quarantine } from '../storage/quarantine/quarantine.js';
import type { KeyRing } from '../storage/secrets/key-ring.js';
import { forgetThumbnails } from '../storage/thumbnails/forget-thumbnails.js';
import { openThumbnails } from '../storage/thumbnails/open-thumbnails.js';
import type { MakePreview } from '../storage/thumbnails/previews.js';
import type { ThumbnailCache } from '../storage/thumbnails/thumbnail-cache.js';
import type { ImageOwner } from '../storage/thumbnails/thumbnail-files.js';
import type { Thumbnails } from '../storage/thumbnails/thumbnails.js';
import type { BuiltinModels } from './builtin/builtin-models.js';
import { holdModels } from './hold-models.js';
import { createJobs, type Jobs } from './jobs/jobs.js';
import { type InferenceLoad, watchLoad } from './watch-load.js';

/** What every module is made from that does not depend on others; the opener closes it. */
interface CoreParts {
  /** Whether this is the one service of the data folder, or a command that may run beside it. */
  readonly mode: 'service' | 'command';
  readonly settings: Settings;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly folder: DataFolder;
  /** UID of the data folder; empty in a command. */
  readonly folderUid: string;
  readonly database: Database;
  /** With which secrets are sealed and links are signed. A command throws where the service has made none yet. */
  readonly installationKeys: () => Promise<KeyRing>;
  /** In a command, its processes start with the first image. */
  readonly runner: Pick<ProcessRunner, 'analyse' | 'unpackJson' | 'stats'>;
  readonly trainer: Trainer;
  readonly spool: Spool;
  readonly installedModel: (id: string) => ModelRef | undefined;
  readonly builtinModels: BuiltinModels;
  /** Null where blobs lie in the data folder. */
  readonly objects: ObjectStorage | null;
  /** Of the disk with the data folder; asked of the system unless given. */
  readonly readFreeBytes?: () => Promise<number>;
}

/** What every module of the service is made from; one for a process. */
export interface Core extends CoreParts {
  readonly mayServiceBeRunning: boolean;
  readonly inferenceLoad: InferenceLoad;
  readonly disk: DiskGuard;
  /** Of images: with a bucket they take no room of this machine for long, and are never refused for it. */
  readonly imageDisk: DiskGuard;
  readonly jobs: Jobs;
  readonly leases: ProcessLeases;
  /** Of the data folder that this service holds; null in a command. */
  readonly filesFolderUid: string | null;
  readonly thumbnails: Thumbnails;
  readonly thumbnailCache: ThumbnailCache;
  readonly makePreview: MakePreview;
  /** For what no row names any more, of all stores. */
  readonly quarantine: Quarantine;
  /** A store of blobs; guard it (`guardBlobs`) unless what writes to it asks the disk itself. */
  openBlobs(store: BlobStoreName): Promise<BlobStore>;
  /** A store of images: with each one that is removed, its thumbnails go. */
  openImages(store: BlobStoreName, owner: ImageOwner): Promise<BlobStore>;
}

export async function createCore(parts: CoreParts): Promise<Core> {
  const { mode, settings, folder, folderUid, database, clock, objects, readFreeBytes } = parts;
  const { runner: watched, load: inferenceLoad } = watchLoad(parts.runner, parts.metrics);
  const runner = objects ? holdModels(watched, objects.models, parts.logger) : watched;
  const mayServiceBeRunning = mode === 'command';
  const disk =
    objects?.disk ??
    createDiskGuard({
      dir: folder.dir,
      reserveBytes: settings.diskReserveBytes,
      ...(readFreeBytes ? { readFreeBytes } : {}),
    });
  const thumbnails = await openThumbnails({
    runner,
    disk,
    mayServiceBeRunning,
    maxPixels: settings.maxPixels,
    dir: folder.thumbnailsDir,
    maxBytes: settings.thumbnailsMaxBytes,
    processes: settings.inferenceProcesses,
  });
  const openBlobs = async (store: BlobStoreName) =>
    objects?.blobs(store) ?? openFolderBlobs(blobsDir(folder, store), { mayServiceBeRunning });
  const leases = createProcessLeases({ database, folderUid, isAlone: settings.databaseUrl === '' });
  await leases.rows.endFormer();
  const filesFolderUid = folderUid === '' ? null : folderUid;
  return {
    ...parts,
    ...thumbnails,
    runner,
    inferenceLoad,
    leases,
    filesFolderUid,
    mayServiceBeRunning,
    disk,
    imageDisk: objects ? anyRoom : disk,
    quarantine: openQuarantineOf(folder, objects),
    // With a bucket, what they need is there for every service.
    jobs: createJobs({ database, clock, folderUid: objects ? null : filesFolderUid }),
    openBlobs,
    openImages: async (store, owner) =>
      forgetThumbnails(await openBlobs(store), owner, thumbnails.thumbnailCache.forget),
  };
}

const anyRoom: DiskGuard = {
  require: async () => undefined,
  guard: (content) => content,
  shortage: async () => null,
};
