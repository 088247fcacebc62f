import type { Clock } from '../../core/clock.js';
import type { Settings } from '../../core/settings.js';
import type { DataFolder } from '../../storage/data-folder.js';
import type { Database } from '../../storage/database.js';
import type { DiskGuard } from '../../storage/disk-guard.js';
import type { ObjectStorage } from '../../storage/objects/object-storage.js';
import { createModelDeletion } from './deletion.js';
import { openFeatureFolders } from './feature-folders.js';
import { createModelQuota } from './model-quota.js';
import { createModels } from './models.js';
import { sweptVersions } from './sweep-versions.js';
import { openVersionFiles } from './version-files.js';
import { createVersions } from './versions.js';

/** Customers' models, their versions and what trainings keep. */
export type ModelStore = Awaited<ReturnType<typeof openModelStore>>;

interface ModelStoreDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly folder: Pick<DataFolder, 'customModelsDir' | 'featuresDir'>;
  readonly limits: Pick<
    Settings,
    'accountMaxModels' | 'accountMaxVersions' | 'accountMaxModelBytes' | 'featuresMaxBytes'
  >;
  readonly disk: Pick<DiskGuard, 'require'>;
  /** Null where versions are in the data folder. */
  readonly objects: Pick<ObjectStorage, 'models'> | null;
  /** Beside a service on the same folder. */
  readonly mayServiceBeRunning?: boolean;
}

export async function openModelStore({
  database,
  clock,
  folder,
  limits,
  disk,
  objects,
  mayServiceBeRunning = false,
}: ModelStoreDeps) {
  const models = createModels({ database, clock, limits });
  const files = await openVersionFiles(folder.customModelsDir, {
    mayServiceBeRunning,
    objects: objects?.models ?? null,
  });
  const features = await openFeatureFolders(database, folder.featuresDir, {
    maxBytes: limits.featuresMaxBytes,
    mayServiceBeRunning,
  });
  return {
    models,
    features,
    files,
    quota: createModelQuota({ database, files, disk, limits }),
    versions: createVersions({ database, clock, models, files }),
    deletion: createModelDeletion({ database, clock, files, features }),
    /** Files of versions, for the sweep of what no row names. */
    sweptVersions: sweptVersions(database, files),
    /** Deletes features that nobody needs any more; they can be made again. */
    async sweepFeatures() {
      await features.sweep();
      await features.sweepImages();
      await features.trim();
    },
  };
}
