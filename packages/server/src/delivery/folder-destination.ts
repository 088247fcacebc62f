import type { UseRemoteFolder } from './deliver-to-remote-folder.js';
import { DeliveryError } from './destination.js';
import type { DestinationDeps } from './destination-deps.js';
import type { FolderSettings } from './destination-settings.js';
import { createDiskFolder } from './disk-folder.js';
import { findFolder } from './find-folder.js';

/** A folder of this machine, or one that is mounted into it. */
export function useDiskFolder(
  { folder }: FolderSettings,
  { allowedFolders, withKeyLock }: DestinationDeps,
): UseRemoteFolder {
  return async (folders, signal, use) => {
    try {
      const found = await findFolder(allowedFolders, folder, folders);
      return await use(createDiskFolder({ folder: found, withKeyLock, signal }));
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'ENOENT' || code === 'ENOTDIR') {
        throw new DeliveryError(
          'refused',
          `${folder} or the folder it is in is not there; the operator must make or mount it`,
        );
      }
      throw error;
    }
  };
}
