import type { DataFolder } from '../data-folder.js';
import { type ObjectStorage, storesInBucket } from '../objects/object-storage.js';
import { bucketGuardFiles, folderGuardFiles } from './guard-files.js';
import { createObjectQuarantine } from './object-quarantine.js';
import { openQuarantine, type Quarantine } from './quarantine.js';
import { splitQuarantine } from './split-quarantine.js';
import type { StoreName } from './store-names.js';
import { createSweepGuard, type SweepGuard } from './sweep-guard.js';

const inBucket: ReadonlySet<StoreName> = new Set(storesInBucket);

type Objects = Pick<ObjectStorage, 'bucket'> | null;

/** The quarantine of all stores: in the data folder, and of those in a bucket there. */
export function openQuarantineOf(
  { quarantineDir }: Pick<DataFolder, 'quarantineDir'>,
  objects: Objects,
): Quarantine {
  const folder = openQuarantine(quarantineDir);
  if (objects === null) return folder;
  return splitQuarantine(folder, createObjectQuarantine(objects.bucket), inBucket);
}

/** What waits for an operator, of all stores. */
export function openSweepGuard(
  { quarantineDir }: Pick<DataFolder, 'quarantineDir'>,
  objects: Objects,
): SweepGuard {
  const files = folderGuardFiles(quarantineDir);
  if (objects === null) return createSweepGuard(() => files);
  const shared = bucketGuardFiles(objects.bucket);
  return createSweepGuard((store) => (inBucket.has(store) ? shared : files));
}
