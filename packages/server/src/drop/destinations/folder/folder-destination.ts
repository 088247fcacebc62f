import { DeliveryError } from '../destination.js';
import type { DestinationDeps } from '../destination-deps.js';
import type { FolderSettings } from '../destination-settings.js';
import type { UsePlace } from '../place/deliver-to-place.js';
import { findFolder } from './find-folder.js';
import { createFolderPlace } from './folder-place.js';

/** A folder of this machine, or one that is mounted into it. */
export function useFolderPlace(
  { folder }: FolderSettings,
  { allowedFolders, takeTurns }: DestinationDeps,
): UsePlace {
  return async (folders, signal, use) => {
    try {
      const found = await findFolder(allowedFolders, folder, folders);
      return await use(createFolderPlace({ folder: found, takeTurns, signal }));
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
