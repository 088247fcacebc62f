import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProcessRunner, type ProcessRunner } from '@lynceus/engine';
import { systemClock } from '../core/clock.js';
import type { Settings } from '../core/settings.js';
import { createDatasetStore } from '../datasets/dataset-store.js';
import type { ImportDeps } from '../datasets/import/import-dataset.js';
import { openSpool } from '../intake/spool.js';
import { openFolderBlobs } from '../storage/blobs/folder-blobs.js';
import { type DataFolder, dataFolder } from '../storage/data-folder.js';
import type { Database } from '../storage/database.js';
import { createDiskGuard, type DiskGuard } from '../storage/disk-guard.js';
import { openCommandStorage } from '../storage/open-storage.js';
import { forgetThumbnails } from '../thumbnails/forget-thumbnails.js';
import { openThumbnailFiles } from '../thumbnails/thumbnail-files.js';
import { type CommandContext, settingsOf } from './context.js';
import { findAccount } from './find-account.js';
import { startedWhenAsked } from './started-when-asked.js';

export interface OpenDatasets extends ImportDeps {
  readonly store: ReturnType<typeof createDatasetStore>;
  readonly accountId: number;
  readonly settings: Settings;
  readonly database: Database;
  readonly folder: DataFolder;
  readonly disk: DiskGuard;
  /** Starts inference processes with the first image. */
  readonly runner: Pick<ProcessRunner, 'analyse'>;
}

/** Opens the datasets of an account for the time of one command, beside a running service or without one. */
export async function withDatasets<T>(
  context: CommandContext,
  account: string,
  work: (datasets: OpenDatasets) => Promise<T>,
): Promise<T> {
  const { settings } = settingsOf(context);
  const folder = dataFolder(settings.dataDir);
  const storage = await openCommandStorage(folder, { ...settings, usesFiles: true });
  // The spool of the data folder is the service's, which sweeps it.
  const spoolDir = await mkdtemp(join(tmpdir(), 'lynceus-datasets-'));
  const processes = createProcessRunner({
    processes: settings.inferenceProcesses,
    queueMax: 16,
    jobTimeoutMs: settings.requestTimeoutMs,
    maxRssBytes: settings.inferenceMaxMemoryMb * 2 ** 20,
  });
  try {
    const { database } = storage;
    const accountId = await findAccount(database, account);
    const { maxPixels, maxImageBytes, spoolMaxBytes: maxBytes } = settings;
    const disk = createDiskGuard({ dir: folder.dir, reserveBytes: settings.diskReserveBytes });
    const thumbnails = await openThumbnailFiles(folder.thumbnailsDir, { mayServiceBeRunning: true });
    const runner = { analyse: startedWhenAsked(processes) };
    const store = createDatasetStore({
      database,
      maxPixels,
      limits: settings,
      disk,
      runner,
      clock: systemClock,
      blobs: forgetThumbnails(
        await openFolderBlobs(folder.datasetsDir, { mayServiceBeRunning: true }),
        'dataset',
        thumbnails.remove,
      ),
    });
    const spool = await openSpool({ dir: spoolDir, maxBytes });
    return await work({
      store,
      spool,
      maxImageBytes,
      accountId,
      settings,
      database,
      folder,
      disk,
      runner,
    });
  } finally {
    await processes.close();
    await storage.close();
    await rm(spoolDir, { recursive: true, force: true });
  }
}
