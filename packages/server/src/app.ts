import { setMaxListeners } from 'node:events';
import { rmdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import {
  createProcessRunner,
  createTrainer,
  defaultUploadLimits,
  type ModelRef,
  type RunnerEvent,
} from '@lynceus/engine';
import { createAccounts } from './accounts/accounts.js';
import { ensureFirstKey, keptFirstKeyPath } from './accounts/first-key.js';
import { systemClock } from './clock.js';
import type { Settings } from './config/settings.js';
import { createDatasetStore } from './datasets/dataset-store.js';
import { createImportJob } from './datasets/import/import-job.js';
import { createStartImport } from './datasets/import/start-import.js';
import { createSuggestLabels } from './datasets/suggest-labels.js';
import { createPictureFetcher } from './fetch/fetch-picture.js';
import { buildHttpApp } from './http/app.js';
import { builtPage } from './http/console/serve-console.js';
import { chooseSpoolDir, openSpool, type Spool } from './intake/spool.js';
import { createJobs } from './jobs/jobs.js';
import { createLifecycle, type Lifecycle, type Part } from './lifecycle.js';
import { openLiveChanges } from './live/open-live-changes.js';
import { createFindCustomModel } from './models/find-custom-model.js';
import { openModelStore } from './models/model-store.js';
import { createModelWork } from './models/model-work.js';
import { createUploadVersion } from './models/upload-version.js';
import { createDescribing } from './perceptions/describing/describing.js';
import { createSearchRecorder } from './perceptions/record-search.js';
import { createAnalyses } from './recognition/analyses.js';
import { createChooseModel } from './recognition/choose-model.js';
import { createPictureKeeper } from './recognition/kept-pictures.js';
import { createRecognition } from './recognition/recognition.js';
import { formatBanner } from './start/banner.js';
import { createDeletionPart } from './start/deletion-part.js';
import { createHttpPart } from './start/http-part.js';
import type { InstalledModels } from './start/models.js';
import { openDrops } from './start/open-drops.js';
import { openFaces } from './start/open-faces.js';
import { createRunnerPart, logRunnerEvent } from './start/runner-part.js';
import { createServiceJobs } from './start/service-jobs.js';
import { createSweepPart } from './start/sweep-part.js';
import { openFolderBlobs } from './storage/blobs/folder-blobs.js';
import { guardBlobs } from './storage/blobs/guarded-blobs.js';
import { dataFolder } from './storage/data-folder.js';
import { createDiskRoom } from './storage/disk-room.js';
import { openServiceStorage, type Storage } from './storage/open-storage.js';
import type { Logger } from './telemetry/logger.js';
import { createMetrics, type Metrics } from './telemetry/metrics.js';
import { createMetricsListener } from './telemetry/metrics-listener.js';
import { forgetThumbnails } from './thumbnails/forget-thumbnails.js';
import { openThumbnails } from './thumbnails/open-thumbnails.js';
import { createThumbnailSweep } from './thumbnails/thumbnail-sweep.js';

export interface AppOptions {
  readonly settings: Settings;
  readonly logger: Logger;
  readonly models: InstalledModels;
  /** Models that every inference process loads before it takes jobs. */
  readonly warm: readonly ModelRef[];
}

export interface App extends Lifecycle {
  /** What to tell a person once it has started. */
  banner(): string;
  /** `http://HOST:PORT`, once it has started. */
  origin(): string;
}

/** Puts the service together. The data folder is held from here on; `stop` frees it, started or not. */
export async function buildApp(options: AppOptions): Promise<App> {
  const metrics = createMetrics();
  const { logger, settings } = options;
  const { databaseUrl, databaseConnections } = settings;
  const storage = await openServiceStorage(dataFolder(settings.dataDir), {
    databaseUrl,
    databaseConnections,
    onCommit: (units, durationMs) => metrics.observeCommit(units, durationMs),
    onThreadLost(error) {
      metrics.countDatabaseThreadLost();
      logger.error({ err: error }, 'a database thread was lost');
    },
  });
  const { applied, backupPath } = storage.migrated;
  if (applied.length > 0) logger.info({ applied, backupPath }, 'the database was migrated');
  try {
    return await composeApp(options, storage, metrics);
  } catch (error) {
    await storage.close();
    throw error;
  }
}

async function composeApp(options: AppOptions, storage: Storage, metrics: Metrics): Promise<App> {
  const { settings, logger, models, warm } = options;
  const { database, folder } = storage;
  const clock = systemClock;
  const { trialCalls, resultDays } = settings;

  const accounts = createAccounts({ database, clock, trialCalls, resultDays });
  const firstKey = await ensureFirstKey(accounts, folder, settings.firstKey);

  const { spoolMaxBytes: maxBytes, spoolDir, dataDir } = settings;
  const spool = await openSpool({ dir: await chooseSpoolDir({ spoolDir, dataDir, maxBytes }), maxBytes });
  const runner = createProcessRunner({
    processes: settings.inferenceProcesses,
    queueMax: settings.inferenceQueueMax,
    jobTimeoutMs: settings.requestTimeoutMs,
    maxRssBytes: settings.inferenceMaxMemoryMb * 1024 * 1024,
    warm,
    sharing: { dir: spool.dir, maxBytes },
    onEvent: (event: RunnerEvent) => logRunnerEvent(logger, event),
  });
  metrics.watchInference(() => runner.stats());

  const disk = createDiskRoom({ dir: folder.dir, reserveBytes: settings.diskReserveBytes });
  const { thumbnails, thumbnailCache } = await openThumbnails({
    ...{ runner, disk, dir: folder.thumbnailsDir, maxBytes: settings.thumbnailsMaxBytes },
    ...{ maxPixels: settings.maxPixels, processes: settings.inferenceProcesses },
  });
  const { forget } = thumbnailCache;
  const pictures = forgetThumbnails(await openFolderBlobs(folder.picturesDir), 'analysis', forget);
  const keepPicture = createPictureKeeper({ pictures, keepPictures: settings.keepPictures });
  const { faceChain, maxPixels } = settings;
  const looking = { runner, installedModel: (id: string) => models.installed(id), faceChain, maxPixels };
  const { faces, faceNaming, facesPart } = await openFaces({
    ...looking,
    settings,
    database,
    clock,
    pictures: forgetThumbnails(await openFolderBlobs(folder.facesDir), 'face', forget),
    logger,
    metrics,
  });
  const datasets = createDatasetStore({
    ...{ database, clock, runner, maxPixels, limits: settings, disk },
    blobs: forgetThumbnails(await openFolderBlobs(folder.datasetsDir), 'dataset', forget),
  });
  const imports = guardBlobs(await openFolderBlobs(folder.importsDir), disk);
  const customModels = await openModelStore({ database, clock, folder, limits: settings, disk });
  const chooseModel = createChooseModel(
    createFindCustomModel({ ...customModels, database, perceptions: faces.perceptions }),
  );
  const suggestLabels = createSuggestLabels({ ...looking, ...datasets, chooseModel });
  const jobs = createJobs({ database, clock });
  const recognition = createRecognition({
    ...looking,
    ledger: accounts,
    database,
    clock,
    keepPicture,
    faceNaming,
  });
  const describing = createDescribing({
    ...looking,
    ...{ database, clock, faces, spool },
    jobs,
    wakeJobs: () => jobsPart.wake(),
    onChange: (gallery, event) => logger.info({ ...gallery, event }, 'the embedder of a perception changes'),
  });
  const drops = await openDrops({
    ...{ settings, database, clock, folder, accounts, jobs, recognition, chooseModel, logger },
    forgetThumbnails: forget,
    wakeJobs: () => jobsPart.wake(),
  });
  const modelWork = createModelWork({
    ...{ database, jobs, datasets, runner, store: customModels, disk },
    trainer: createTrainer({
      maxRssBytes: settings.trainingMaxMemoryMb * 1024 * 1024,
      onFault: (detail) => logger.error({ detail }, 'a fault in a training'),
    }),
    installedModel: looking.installedModel,
    limits: { maxPixels },
    wake: () => jobsPart.wake(),
  });
  const jobsPart = createServiceJobs({
    ...{ database, clock, logger },
    // A new kind is one line here.
    kinds: [
      describing.kind,
      ...modelWork.kinds,
      ...drops.kinds,
      createImportJob({
        ...{ store: datasets, imports, spool, database, clock },
        maxPictureBytes: settings.maxPictureBytes,
      }),
    ],
    isAlone: settings.databaseUrl === '',
  });
  const givingUp = new AbortController();
  // Every request in flight listens; Node warns of more than ten.
  setMaxListeners(0, givingUp.signal);
  const http = createHttpPart(
    await buildHttpApp({
      settings,
      authenticate: (key) => accounts.authenticate(key),
      accounts,
      analyses: createAnalyses({ database, pictures, clock }),
      clock,
      ledger: accounts,
      recognition,
      faces,
      describing,
      ...{
        suggestLabels,
        datasets,
        imports,
        jobs,
        customModels,
        modelWork,
        chooseModel,
        dropStore: drops.store,
      },
      uploadVersion: createUploadVersion({
        ...customModels,
        limits: { ...defaultUploadLimits, maxFileBytes: settings.maxModelBytes },
      }),
      importDatasets: createStartImport({ database, jobs, wake: () => jobsPart.wake() }),
      recordSearch: createSearchRecorder({ database, ledger: accounts, clock, keepPicture }),
      ...{ runner, spool, thumbnails },
      live: openLiveChanges({
        ...{ database, clock },
        onFailure: (error) => logger.warn({ err: error }, 'what changed in an account could not be read'),
      }),
      fetchPicture: createPictureFetcher({ spool, ...settings }),
      givenUp: givingUp.signal,
      health: { readiness: () => lifecycle.readiness() },
      logger,
      docsFirst: true,
      consoleDir: builtPage,
      observe: (request) => metrics.observeRequest(request),
    }),
    settings,
    () => givingUp.abort(),
  );

  // In this order they start, in the reverse they stop; a new part is one line here.
  const parts: Part[] = [
    createStoragePart(storage),
    createSpoolPart(spool),
    createSweepPart({
      ...{ database, pictures, imports, customModels, clock, logger },
      facePictures: faces.pictures,
      datasetPictures: datasets.blobs,
      drops: drops.store,
      thumbnails: createThumbnailSweep(thumbnailCache, {
        analysis: pictures.locate,
        face: faces.pictures.locate,
        dataset: datasets.blobs.locate,
        drop: drops.store.locateBytes,
      }),
    }),
    createRunnerPart(runner),
    facesPart,
    createDeletionPart('datasets', datasets),
    createDeletionPart('models', customModels),
    drops.filesPart,
    jobsPart,
    ...(drops.ftp ? [drops.ftp] : []),
    ...(settings.metricsPort > 0 ? [createMetricsListener(metrics, settings.metricsPort)] : []),
    http,
  ];
  const lifecycle = createLifecycle({
    parts,
    drainTimeoutMs: settings.drainTimeoutMs,
    onStopFailure: (part, error) => logger.error({ err: error, part }, 'a part did not stop cleanly'),
  });

  return {
    ...lifecycle,
    origin: () => http.origin,
    banner: () =>
      formatBanner({
        address: http.origin + settings.pathPrefix,
        firstKey,
        firstKeyPath: keptFirstKeyPath(folder),
        samplePath: fileURLToPath(new URL('../assets/sample.jpg', import.meta.url)),
      }),
  };
}

/** Open already, since everything else is made from it; here it gets its place in the order of stopping. */
function createStoragePart(storage: Storage): Part {
  return {
    name: 'database',
    start: async () => {},
    isReady: () => storage.database.isReady(),
    stop: () => storage.close(),
  };
}

/** Swept when it was opened; in shared memory, its folder should not outlive the service. */
function createSpoolPart(spool: Spool): Part {
  return {
    name: 'spool',
    start: async () => {},
    isReady: () => true,
    // A file that is still in use keeps the folder, until the next start sweeps it.
    stop: () => rmdir(spool.dir).catch(() => undefined),
  };
}
