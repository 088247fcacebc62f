import type { Clock } from '../clock.js';
import type { Settings } from '../config/settings.js';
import type { DataFolder } from '../storage/data-folder.js';
import type { Database } from '../storage/database.js';
import type { DiskRoom } from '../storage/disk-room.js';
import type { SweptStore } from '../storage/quarantine/sweep-store.js';
import { createModelDeletion, type ModelDeletion } from './deletion.js';
import { type FeatureFolders, openFeatureFolders } from './feature-folders.js';
import type { Versions } from './model.js';
import { createModelRoom, type ModelRoom } from './model-room.js';
import { createModels, type Models } from './models.js';
import { sweptVersions } from './sweep-versions.js';
import { openVersionFiles, type VersionFiles } from './version-files.js';
import { createVersions } from './versions.js';

/** Customers' models, their versions and what trainings keep. */
export interface ModelStore {
  readonly models: Models;
  readonly versions: Versions;
  readonly deletion: ModelDeletion;
  readonly features: FeatureFolders;
  readonly room: ModelRoom;
  /** Folders of versions, for the sweep of what no row names. */
  readonly sweptVersions: SweptStore;
  readonly files: VersionFiles;
  /** Deletes features that nobody needs any more; they can be made again. */
  sweepFeatures(): Promise<void>;
}

export interface ModelStoreDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly folder: Pick<DataFolder, 'customModelsDir' | 'featuresDir'>;
  readonly limits: Pick<
    Settings,
    'accountMaxModels' | 'accountMaxVersions' | 'accountMaxModelBytes' | 'featuresMaxBytes'
  >;
  readonly disk: Pick<DiskRoom, 'require'>;
  /** Beside a service on the same folder. */
  readonly isBeside?: boolean;
}

export async function openModelStore({
  database,
  clock,
  folder,
  limits,
  disk,
  isBeside = false,
}: ModelStoreDeps): Promise<ModelStore> {
  const models = createModels({ database, clock, limits });
  const files = await openVersionFiles(folder.customModelsDir, { isBeside });
  const features = await openFeatureFolders(database, folder.featuresDir, {
    maxBytes: limits.featuresMaxBytes,
    isBeside,
  });
  return {
    models,
    ...{ features, files },
    room: createModelRoom({ database, files, disk, limits }),
    versions: createVersions({ database, clock, models, files }),
    deletion: createModelDeletion({ database, clock, files, features }),
    sweptVersions: sweptVersions(database, files),
    async sweepFeatures() {
      await features.sweep();
      await features.sweepPictures();
      await features.trim();
    },
  };
}
