import type { DataFolder } from '../data-folder.js';
import { type ObjectStorage, storesInBucket } from '../objects/object-storage.js';
import { createObjectQuarantine } from './object-quarantine.js';
import { openQuarantine, type Quarantine } from './quarantine.js';
import { splitQuarantine } from './split-quarantine.js';

/** The quarantine of all stores: in the data folder, and of those in a bucket there. */
export function openQuarantineOf(
  { quarantineDir }: Pick<DataFolder, 'quarantineDir'>,
  objects: Pick<ObjectStorage, 'bucket'> | null,
): Quarantine {
  const folder = openQuarantine(quarantineDir);
  if (objects === null) return folder;
  return splitQuarantine(folder, createObjectQuarantine(objects.bucket), new Set(storesInBucket));
}
