import { dataFolder } from '#server/storage/data-folder.js';
import { openCommandStorage, type Storage } from '#server/storage/open-storage.js';

/** The database of a service that a bench started, beside it: unless given, that of the environment, as for the service. */
export function openStorageBesideService(
  dataDir: string,
  databaseUrl = process.env['LYNCEUS_DATABASE_URL'] ?? '',
): Promise<Storage> {
  return openCommandStorage(dataFolder(dataDir), { databaseUrl });
}
