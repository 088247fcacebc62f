import { defaultUploadLimits } from '@lynceus/engine';
import { systemClock } from '../core/clock.js';
import { type ModelStore, openModelStore } from '../models/model-store.js';
import { createUploadVersion, type UploadVersion } from '../models/upload-version.js';
import { dataFolder } from '../storage/data-folder.js';
import { createDiskGuard } from '../storage/disk-guard.js';
import { openCommandStorage } from '../storage/open-storage.js';
import { type CommandContext, settingsOf } from './context.js';
import { findAccount } from './find-account.js';

export interface OpenModels extends ModelStore {
  readonly accountId: number;
  readonly uploadVersion: UploadVersion;
}

/** Opens the models of an account for the time of one command, beside a running service or without one. */
export async function withModels<T>(
  context: CommandContext,
  account: string,
  work: (models: OpenModels) => Promise<T>,
): Promise<T> {
  const { settings } = settingsOf(context);
  const folder = dataFolder(settings.dataDir);
  const storage = await openCommandStorage(folder, { ...settings, usesFiles: true });
  try {
    const { database } = storage;
    const accountId = await findAccount(database, account);
    const store = await openModelStore({
      database,
      clock: systemClock,
      folder,
      limits: settings,
      mayServiceBeRunning: true,
      disk: createDiskGuard({ dir: folder.dir, reserveBytes: settings.diskReserveBytes }),
    });
    const limits = { ...defaultUploadLimits, maxFileBytes: settings.maxModelBytes };
    const uploadVersion = createUploadVersion({ ...store, limits });
    return await work({ ...store, accountId, uploadVersion });
  } finally {
    await storage.close();
  }
}
