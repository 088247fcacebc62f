import { setMaxListeners } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ModelRef } from '@lynceus/engine';
import { createAccounts } from './accounts/accounts.js';
import { ensureFirstKey, keptFirstKeyPath } from './accounts/first-key.js';
import { systemClock } from './core/clock.js';
import { explainSettings } from './core/explain-settings.js';
import { type Component, createLifecycle, type Lifecycle } from './core/lifecycle.js';
import type { LoadedSettings } from './core/load-settings.js';
import type { Logger } from './core/logger.js';
import { createMetrics, type Metrics } from './core/metrics.js';
import { createMetricsListener } from './core/metrics-listener.js';
import { createReEmbedding } from './faces/re-embedding/re-embedding.js';
import { createSearchRecorder } from './faces/record-search.js';
import { buildHttpApp } from './http/app.js';
import { builtPage } from './http/console/serve-console.js';
import { createDescribeInstallation } from './installation/describe-installation.js';
import { readOwnVersion } from './installation/own-version.js';
import { createImageFetcher } from './intake/fetch-image.js';
import { createJobs } from './jobs/jobs.js';
import { openLiveChanges } from './live/open-live-changes.js';
import { createAnalyses } from './recognition/analyses.js';
import { createImageKeeper } from './recognition/kept-images.js';
import { createRecognition } from './recognition/recognition.js';
import { formatBanner } from './start/banner.js';
import { createDeletionComponent } from './start/deletion-component.js';
import { createHttpComponent } from './start/http-component.js';
import { namingItsPort } from './start/listen-failure.js';
import type { InstalledModels } from './start/models.js';
import { openAccountDeletions } from './start/open-account-deletions.js';
import { openCustomModels } from './start/open-custom-models.js';
import { openDrops } from './start/open-drops.js';
import { openFaces } from './start/open-faces.js';
import { openInference } from './start/open-inference.js';
import { createRunnerComponent } from './start/runner-component.js';
import { createServiceJobs } from './start/service-jobs.js';
import { createServiceSweeps } from './start/service-sweeps.js';
import { createSpoolComponent } from './start/spool-component.js';
import { createStorageComponent } from './start/storage-component.js';
import { createSweepComponent } from './start/sweep-component.js';
import { createUsersComponent } from './start/users-component.js';
import { openFolderBlobs } from './storage/blobs/folder-blobs.js';
import { guardBlobs } from './storage/blobs/guarded-blobs.js';
import { dataFolder } from './storage/data-folder.js';
import { createDiskGuard } from './storage/disk-guard.js';
import { openServiceStorage, type ServiceStorage } from './storage/open-storage.js';
import { openInstallationKey } from './storage/secrets/installation-key.js';
import { forgetThumbnails } from './thumbnails/forget-thumbnails.js';
import { openThumbnails } from './thumbnails/open-thumbnails.js';
import { createThumbnailSweep } from './thumbnails/thumbnail-sweep.js';
import { linkTo } from './users/link-address.js';
import { openUsers } from './users/users.js';

export interface AppOptions {
  readonly loaded: LoadedSettings;
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
  const {
    logger,
    loaded: { settings },
  } = options;
  const { databaseUrl, databaseConnections, joinInstallation } = settings;
  const storage = await openServiceStorage(dataFolder(settings.dataDir), {
    databaseUrl,
    databaseConnections,
    joinInstallation,
    onCommit: (units, durationMs) => metrics.observeCommit(units, durationMs),
    onThreadCrashed(error) {
      metrics.countDatabaseThreadCrash();
      logger.error({ err: error }, 'database thread crashed');
    },
    onReplaced: (found) =>
      logger.error(
        { finding: found },
        'data folder and database belong together no longer; sweeps suspended for a day. Restart the service',
      ),
  });
  const { applied, backupPath } = storage.migrated;
  if (applied.length > 0) logger.info({ applied, backupPath }, 'the database was migrated');
  const { finding, ...pair } = storage.pair;
  if (finding !== null) {
    logger.warn(
      { installation: pair.installation, folder: pair.folder, finding },
      'data folder and database differ; sweeps suspended for a day',
    );
  }
  try {
    return await composeApp(options, storage, metrics);
  } catch (error) {
    await storage.close();
    throw error;
  }
}

async function composeApp(options: AppOptions, storage: ServiceStorage, metrics: Metrics): Promise<App> {
  const { loaded, logger, models, warm } = options;
  const { settings } = loaded;
  const { database, folder } = storage;
  const clock = systemClock;
  const { trialCalls, resultDays, faceChain, maxPixels } = settings;

  // Before anything is made that a service with the wrong key leaves behind.
  const installationKey = await openInstallationKey({ database, folder, settings });
  const accounts = createAccounts({ database, clock, trialCalls, resultDays });
  const firstKey = await ensureFirstKey(accounts, folder, settings.firstKey);
  const users = await openUsers({
    database,
    clock,
    installationKey,
    settings,
    onKeyRevoked: (keyId) => accounts.forgetKey(keyId),
    onAuditFailure: (error) => logger.error({ err: error }, 'a refused sign-in was not written down'),
  });
  const firstLink = await users.makeLinks.first();

  const { spool, runner, builtin } = await openInference({
    settings,
    warm,
    logger,
    metrics,
    customModelsDir: folder.customModelsDir,
  });
  const disk = createDiskGuard({ dir: folder.dir, reserveBytes: settings.diskReserveBytes });
  const { thumbnails, thumbnailCache, makePreview } = await openThumbnails({
    runner,
    disk,
    maxPixels,
    dir: folder.thumbnailsDir,
    maxBytes: settings.thumbnailsMaxBytes,
    processes: settings.inferenceProcesses,
  });
  const forgetThumbnail = thumbnailCache.forget;
  const imageFiles = forgetThumbnails(
    guardBlobs(await openFolderBlobs(folder.imagesDir), disk),
    'analysis',
    forgetThumbnail,
  );
  const keepImage = createImageKeeper({ imageFiles, keepImages: settings.keepImages });
  const installedModel = (id: string) => models.installed(id);
  const looking = { runner, installedModel, faceChain, maxPixels };
  const { faces, faceNaming, facesComponent } = await openFaces({
    ...looking,
    settings,
    database,
    clock,
    installationKey,
    logger,
    metrics,
    disk,
    imageFiles: forgetThumbnails(
      guardBlobs(await openFolderBlobs(folder.facesDir), disk),
      'face',
      forgetThumbnail,
    ),
  });
  const jobs = createJobs({ database, clock });
  const wakeJobs = () => jobsComponent.wake();
  const custom = await openCustomModels({
    settings,
    database,
    clock,
    folder,
    jobs,
    runner,
    spool,
    faces,
    installedModel,
    logger,
    wakeJobs,
    disk,
    forgetThumbnail,
  });
  const recognition = createRecognition({
    ...looking,
    ledger: accounts,
    database,
    clock,
    keepImage,
    faceNaming,
  });
  const reEmbedding = createReEmbedding({
    ...looking,
    database,
    clock,
    faces,
    spool,
    jobs,
    wakeJobs,
    onChange: (gallery, event) => logger.info({ ...gallery, event }, 'the embedder of a perception changes'),
  });
  const { chooseModel } = custom;
  const drops = await openDrops({
    settings,
    database,
    clock,
    folder,
    installationKey,
    accounts,
    jobs,
    recognition,
    chooseModel,
    logger,
    wakeJobs,
    folderUid: storage.pair.folder,
    forgetThumbnails: forgetThumbnail,
  });
  const jobsComponent = createServiceJobs({
    database,
    clock,
    logger,
    // A new kind is one word here.
    kinds: [reEmbedding.kind, ...custom.kinds, ...drops.kinds],
    isAlone: settings.databaseUrl === '',
    accountMaxConcurrent: settings.accountMaxConcurrent,
  });
  const accountDeletions = openAccountDeletions({
    database,
    clock,
    folder,
    folderUid: storage.pair.folder,
    imageFiles,
    faces,
    logger,
    datasetImages: custom.datasets.blobs,
    imports: custom.imports,
    customModels: custom.customModels,
    drops: drops.store,
  });
  const sweeps = createServiceSweeps({
    ...custom,
    database,
    folder,
    imageFiles,
    settings,
    clock,
    logger,
    metrics: metrics.sweeps,
    faceImages: faces.imageFiles,
    datasetImages: custom.datasets.blobs,
    drops: drops.store,
    thumbnails: createThumbnailSweep(thumbnailCache, {
      analysis: imageFiles.locate,
      face: faces.imageFiles.locate,
      dataset: custom.datasets.blobs.locate,
      drop: drops.store.locateBytes,
    }),
  });
  const shutdown = new AbortController();
  // Every request in flight listens; Node warns of more than ten.
  setMaxListeners(0, shutdown.signal);
  const httpComponent = createHttpComponent(
    await buildHttpApp({
      settings,
      clock,
      accounts,
      ledger: accounts,
      recognition,
      faces,
      reEmbedding,
      jobs,
      ...custom,
      dropStore: drops.store,
      runner,
      spool,
      thumbnails,
      makePreview,
      logger,
      live: openLiveChanges({
        database,
        clock,
        onFailure: (error) => logger.warn({ err: error }, 'what changed in an account could not be read'),
      }),
      authenticate: (key) => accounts.authenticate(key),
      users,
      installation: {
        describe: createDescribeInstallation({
          version: readOwnVersion(),
          database,
          clock,
          folder,
          readiness: () => lifecycle.readiness(),
          stats: () => runner.stats(),
          isSqlite: settings.databaseUrl === '',
        }),
        settings: explainSettings(loaded),
        catalog: models,
        sweeps,
      },
      analyses: createAnalyses({ database, imageFiles, clock }),
      recordSearch: createSearchRecorder({ database, ledger: accounts, clock, keepImage }),
      fetchImage: createImageFetcher({ spool, ...settings }),
      shutdownSignal: shutdown.signal,
      health: { readiness: () => lifecycle.readiness() },
      docsFirst: true,
      consoleDir: builtPage,
      observe: (request) => metrics.observeRequest(request),
    }),
    settings,
    () => shutdown.abort(),
  );
  const http = namingItsPort(httpComponent, { port: 'port', host: 'host' });

  // In this order they start, in the reverse they stop; a new part is one line here.
  const components: Component[] = [
    createStorageComponent(storage, { logger }),
    createUsersComponent(users),
    createSpoolComponent(spool),
    createSweepComponent(sweeps, { pair: storage.pair, logger }),
    createRunnerComponent(runner, builtin, httpComponent.prepare),
    facesComponent,
    createDeletionComponent('datasets', custom.datasets),
    createDeletionComponent('models', custom.customModels),
    drops.filesComponent,
    jobsComponent,
    accountDeletions,
    ...(drops.ftp ? [drops.ftp] : []),
    ...(settings.metricsPort > 0
      ? [
          namingItsPort(createMetricsListener(metrics, settings.metricsPort), {
            port: 'metricsPort',
            host: null,
          }),
        ]
      : []),
    http,
  ];
  const lifecycle = createLifecycle({
    components,
    drainTimeoutMs: settings.drainTimeoutMs,
    onStopFailure: (component, error) =>
      logger.error({ err: error, component }, 'a component did not stop cleanly'),
  });

  return {
    ...lifecycle,
    origin: () => http.origin,
    banner: () =>
      formatBanner({
        address: http.origin + settings.pathPrefix,
        welcome:
          firstLink &&
          linkTo(
            settings.publicAddress.replace(/\/+$/, '') || http.origin + settings.pathPrefix,
            firstLink.token,
          ),
        firstKey,
        firstKeyPath: keptFirstKeyPath(folder),
        samplePath: fileURLToPath(new URL('../assets/sample.jpg', import.meta.url)),
      }),
  };
}
