import { createTrainer, defaultUploadLimits, type ModelRef, type ProcessRunner } from '@lynceus/engine';
import type { Clock } from '../core/clock.js';
import type { Logger } from '../core/logger.js';
import type { Settings } from '../core/settings.js';
import { createDatasetStore, type DatasetStore } from '../datasets/dataset-store.js';
import { createImportJob } from '../datasets/import/import-job.js';
import { createStartImport, type StartImport } from '../datasets/import/start-import.js';
import { createSuggestLabels, type SuggestLabels } from '../datasets/suggest-labels.js';
import type { FaceDatabase } from '../faces/face-database.js';
import type { Spool } from '../intake/spool.js';
import type { JobKind } from '../jobs/job.js';
import type { Jobs } from '../jobs/jobs.js';
import { createFindCustomModel } from '../models/find-custom-model.js';
import { type ModelStore, openModelStore } from '../models/model-store.js';
import { createModelWork, type ModelWork } from '../models/model-work.js';
import { createUploadVersion, type UploadVersion } from '../models/upload-version.js';
import { type ChooseModel, createChooseModel } from '../recognition/choose-model.js';
import type { BlobStore } from '../storage/blobs/blob-store.js';
import { openFolderBlobs } from '../storage/blobs/folder-blobs.js';
import { guardBlobs } from '../storage/blobs/guarded-blobs.js';
import type { DataFolder } from '../storage/data-folder.js';
import type { Database } from '../storage/database.js';
import type { DiskGuard } from '../storage/disk-guard.js';
import { forgetThumbnails } from '../thumbnails/forget-thumbnails.js';
import type { ImageRef } from '../thumbnails/thumbnail-files.js';

export interface OpenCustomModelsDeps {
  readonly settings: Settings;
  readonly database: Database;
  readonly clock: Clock;
  readonly folder: DataFolder;
  readonly jobs: Jobs;
  readonly runner: ProcessRunner;
  readonly spool: Spool;
  readonly faces: Pick<FaceDatabase, 'perceptions'>;
  readonly installedModel: (id: string) => ModelRef | undefined;
  readonly logger: Logger;
  readonly disk: DiskGuard;
  /** Told of images of datasets that are removed. */
  readonly forgetThumbnail: (image: ImageRef) => Promise<unknown>;
  readonly wakeJobs: () => void;
}

export interface OpenedCustomModels {
  readonly datasets: DatasetStore;
  /** Zips that are imported into datasets. */
  readonly imports: BlobStore;
  readonly importDatasets: StartImport;
  readonly customModels: ModelStore;
  readonly uploadVersion: UploadVersion;
  readonly suggestLabels: SuggestLabels;
  readonly modelWork: ModelWork;
  readonly chooseModel: ChooseModel;
  readonly kinds: readonly JobKind[];
}

/** Puts together what customers' models are made of and with: datasets, trainings, uploads. */
export async function openCustomModels(deps: OpenCustomModelsDeps): Promise<OpenedCustomModels> {
  const { settings, database, clock, folder, jobs, runner, logger, disk, wakeJobs: wake } = deps;
  const { maxPixels, maxImageBytes } = settings;
  const datasets = createDatasetStore({
    database,
    clock,
    runner,
    maxPixels,
    limits: settings,
    disk,
    blobs: forgetThumbnails(await openFolderBlobs(folder.datasetsDir), 'dataset', deps.forgetThumbnail),
  });
  const imports = guardBlobs(await openFolderBlobs(folder.importsDir), disk);
  const customModels = await openModelStore({ database, clock, folder, limits: settings, disk });
  const modelWork = createModelWork({
    database,
    jobs,
    datasets,
    runner,
    store: customModels,
    disk,
    wake,
    trainer: createTrainer({
      maxRssBytes: settings.trainingMaxMemoryMb * 1024 * 1024,
      timeoutMs: settings.trainingTimeoutMs,
      onFault: (detail) => logger.error({ detail }, 'a fault in a training'),
    }),
    installedModel: deps.installedModel,
    limits: { maxPixels },
  });
  const importJob = createImportJob({
    store: datasets,
    imports,
    spool: deps.spool,
    database,
    maxImageBytes,
  });
  const chooseModel = createChooseModel(
    createFindCustomModel({ ...customModels, database, perceptions: deps.faces.perceptions }),
  );
  return {
    datasets,
    imports,
    customModels,
    modelWork,
    importDatasets: createStartImport({ database, jobs, wake }),
    uploadVersion: createUploadVersion({
      ...customModels,
      limits: {
        ...defaultUploadLimits,
        maxFileBytes: settings.maxModelBytes,
        // It reads and writes the file besides running the model.
        maxRssBytes: 2 * settings.customInferenceMaxBytes,
      },
    }),
    chooseModel,
    suggestLabels: createSuggestLabels({
      ...datasets,
      runner,
      maxPixels,
      chooseModel,
      installedModel: deps.installedModel,
      faceChain: settings.faceChain,
    }),
    kinds: [...modelWork.kinds, importJob],
  };
}
