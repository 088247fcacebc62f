import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProcessRunner } from '@lynceus/engine';
import { systemClock } from '../clock.js';
import { createDatasetStore } from '../datasets/dataset-store.js';
import type { ImportDeps } from '../datasets/import/import-dataset.js';
import { openSpool } from '../intake/spool.js';
import { openFolderBlobs } from '../storage/blobs/folder-blobs.js';
import { dataFolder } from '../storage/data-folder.js';
import { createDiskRoom } from '../storage/disk-room.js';
import { openCommandStorage } from '../storage/open-storage.js';
import { type CommandContext, settingsOf } from './context.js';
import { findAccount } from './find-account.js';
import { startedWhenAsked } from './started-when-asked.js';

export interface OpenDatasets extends ImportDeps {
  readonly store: ReturnType<typeof createDatasetStore>;
  readonly accountId: number;
}

/** Opens the datasets of an account for the time of one command, beside a running service or without one. */
export async function withDatasets<T>(
  context: CommandContext,
  account: string,
  work: (datasets: OpenDatasets) => Promise<T>,
): Promise<T> {
  const { settings } = settingsOf(context);
  const folder = dataFolder(settings.dataDir);
  const storage = await openCommandStorage(folder, settings);
  // The spool of the data folder is the service's, which sweeps it.
  const spoolDir = await mkdtemp(join(tmpdir(), 'lynceus-datasets-'));
  const runner = createProcessRunner({
    processes: settings.inferenceProcesses,
    queueMax: 16,
    jobTimeoutMs: settings.requestTimeoutMs,
    maxRssBytes: settings.inferenceMaxMemoryMb * 2 ** 20,
  });
  try {
    const { database } = storage;
    const accountId = await findAccount(database, account);
    const { maxPixels, maxPictureBytes, spoolMaxBytes: maxBytes } = settings;
    const store = createDatasetStore({
      ...{ database, maxPixels, limits: settings },
      disk: createDiskRoom({ dir: folder.dir, reserveBytes: settings.diskReserveBytes }),
      clock: systemClock,
      blobs: await openFolderBlobs(folder.datasetsDir, { isBeside: true }),
      runner: { analyse: startedWhenAsked(runner) },
    });
    const spool = await openSpool({ dir: spoolDir, maxBytes });
    return await work({ store, spool, maxPictureBytes, accountId });
  } finally {
    await runner.close();
    await storage.close();
    await rm(spoolDir, { recursive: true, force: true });
  }
}
