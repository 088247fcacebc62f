import { dataFolder } from '../storage/data-folder.js';
import { openCommandStorage, type Storage } from '../storage/open-storage.js';
import { type CommandContext, settingsOf } from './context.js';

/** Opens the database for the time of one command, beside a running service or without one. */
export async function withStorage<T>(
  context: CommandContext,
  work: (storage: Storage) => Promise<T>,
): Promise<T> {
  const { settings } = settingsOf(context);
  const storage = await openCommandStorage(dataFolder(settings.dataDir), settings);
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
}
