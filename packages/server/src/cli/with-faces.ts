import { randomBytes } from 'node:crypto';
import { createProcessRunner, defaultModelsDir, type ModelRef, openCatalog } from '@lynceus/engine';
import { systemClock } from '../core/clock.js';
import type { Settings } from '../core/settings.js';
import { type FaceDatabase, openFaceDatabase } from '../faces/face-database.js';
import { createMemoryFaceIndex } from '../faces/index/memory-face-index.js';
import { createStoredGalleries, type DamageListener } from '../faces/stored-galleries.js';
import { openFolderBlobs } from '../storage/blobs/folder-blobs.js';
import { guardBlobs } from '../storage/blobs/guarded-blobs.js';
import { dataFolder } from '../storage/data-folder.js';
import { createDiskGuard } from '../storage/disk-guard.js';
import { openCommandStorage } from '../storage/open-storage.js';
import { forgetThumbnails } from '../thumbnails/forget-thumbnails.js';
import { openThumbnailFiles } from '../thumbnails/thumbnail-files.js';
import { type CommandContext, settingsOf } from './context.js';
import { findAccount } from './find-account.js';
import { startedWhenAsked } from './started-when-asked.js';

export interface OpenFaces {
  readonly faces: FaceDatabase;
  readonly accountId: number;
  readonly settings: Settings;
  readonly installedModel: (id: string) => ModelRef | undefined;
}

/** Jobs that may wait for each inference process. */
const queuePerProcess = 16;

/**
 * Opens the face database of an account for the time of one command, beside a running service or without one: the
 * service's index follows the changes in the database. Images are looked at by so many inference processes.
 */
export async function withFaces<T>(
  context: CommandContext,
  account: string,
  work: (opened: OpenFaces) => Promise<T>,
  { processes = 1, niceness = 5 } = {},
): Promise<T> {
  const { settings } = settingsOf(context);
  const folder = dataFolder(settings.dataDir);
  const modelsDir = settings.modelsDir || defaultModelsDir({ env: context.env, dataDir: settings.dataDir });
  const catalog = await openCatalog({ modelsDir, env: context.env });
  const installedModel = (id: string) => catalog.installed(id);
  const storage = await openCommandStorage(folder, { ...settings, usesFiles: true });
  const { database } = storage;
  const onDamaged: DamageListener = (_gallery, imageId) =>
    context.note(`image ${imageId} is not searched: its vector is damaged`);
  const index = createMemoryFaceIndex({
    stored: createStoredGalleries({ database, onDamaged }),
    onDamaged,
    maxBytes: settings.faceIndexMaxMb * 2 ** 20,
    onThreadCrashed: (error) => context.note(`the thread of the face index crashed: ${error.message}`),
  });
  const runner = createProcessRunner({
    processes,
    niceness,
    queueMax: queuePerProcess * processes,
    jobTimeoutMs: settings.requestTimeoutMs,
    maxRssBytes: settings.inferenceMaxMemoryMb * 2 ** 20,
  });
  try {
    const accountId = await findAccount(database, account);
    const disk = createDiskGuard({ dir: folder.dir, reserveBytes: settings.diskReserveBytes });
    const thumbnails = await openThumbnailFiles(folder.thumbnailsDir, { mayServiceBeRunning: true });
    const faces = await openFaceDatabase({
      ...settings,
      limits: settings,
      disk,
      // No command hands out a link to an image.
      installationKey: randomBytes(32),
      database,
      clock: systemClock,
      index,
      imageFiles: forgetThumbnails(
        guardBlobs(await openFolderBlobs(folder.facesDir, { mayServiceBeRunning: true }), disk),
        'face',
        thumbnails.remove,
      ),
      runner: { analyse: startedWhenAsked(runner) },
      installedModel,
    });
    return await work({ faces, accountId, settings, installedModel });
  } finally {
    await runner.close();
    await index.close();
    await storage.close();
  }
}
