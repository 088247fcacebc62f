import { createAccounts } from '../accounts/accounts.js';
import { systemClock } from '../core/clock.js';
import type { Settings } from '../core/settings.js';
import { type DropManagement, openDropManagement } from '../drops/drop-management.js';
import { openFileBytes } from '../drops/files/file-bytes.js';
import { createJobs } from '../jobs/jobs.js';
import { dataFolder } from '../storage/data-folder.js';
import { openCommandStorage } from '../storage/open-storage.js';
import { readInstallationKey } from '../storage/secrets/installation-key.js';
import { forgetThumbnails } from '../thumbnails/forget-thumbnails.js';
import { openThumbnailFiles } from '../thumbnails/thumbnail-files.js';
import { type CommandContext, settingsOf } from './context.js';
import { findAccount } from './find-account.js';

export interface OpenDrops extends DropManagement {
  readonly accountId: number;
  readonly settings: Settings;
}

/** Opens the drops of an account for the time of one command, beside a running service or without one. */
export async function withDrops<T>(
  context: CommandContext,
  account: string,
  work: (drops: OpenDrops) => Promise<T>,
): Promise<T> {
  const { settings } = settingsOf(context);
  const folder = dataFolder(settings.dataDir);
  const storage = await openCommandStorage(folder, { ...settings, usesFiles: true });
  try {
    const { database } = storage;
    const clock = systemClock;
    const accountId = await findAccount(database, account);
    const { ownKeys } = createAccounts({ ...settings, database, clock });
    const thumbnails = await openThumbnailFiles(folder.thumbnailsDir, { mayServiceBeRunning: true });
    const management = await openDropManagement({
      database,
      clock,
      ownKeys,
      installationKey: await readInstallationKey({ database, folder, settings }),
      jobs: createJobs({ database, clock }),
      bytes: forgetThumbnails(
        await openFileBytes(folder.dropsDir, { reserveBytes: 0, mayServiceBeRunning: true }),
        'drop',
        thumbnails.remove,
      ),
      limits: {
        allowedNetworks: settings.deliveryAllowedNetworks,
        allowedFolders: settings.dropFolders,
        domain: settings.dropDomain,
      },
      onRetryFailure: (error) => {
        throw error;
      },
      // A service looks for work every now and then.
      wakeJobs: () => undefined,
    });
    return await work({ ...management, accountId, settings });
  } finally {
    await storage.close();
  }
}
