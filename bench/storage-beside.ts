import { dataFolder } from '#server/storage/data-folder.js';
import { openCommandStorage, type Storage } from '#server/storage/open-storage.js';

/** The database of a service that a bench started, beside it: that of the environment where it names one, as for the service. */
export function openStorageBeside(dataDir: string): Promise<Storage> {
  return openCommandStorage(dataFolder(dataDir), {
    databaseUrl: process.env['LYNCEUS_DATABASE_URL'] ?? '',
  });
}
