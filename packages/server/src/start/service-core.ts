import { createTrainer, type ModelRef } from '@lynceus/engine';
import type { Logger } from '../core/logger.js';
import { createMetrics, type Metrics } from '../core/metrics.js';
import type { Settings } from '../core/settings.js';
import { createBuiltinModels } from '../service/builtin/builtin-models.js';
import { type Core, createCore } from '../service/core.js';
import { readOwnVersion } from '../service/installation/own-version.js';
import { aliveSince } from '../service/replicas/replica-rows.js';
import { dataFolder } from '../storage/data-folder.js';
import { requireBucket } from '../storage/objects/claim-bucket.js';
import { openObjectStorage } from '../storage/objects/object-storage.js';
import { openServiceStorage, type ServiceStorage } from '../storage/open-storage.js';
import { openInstallationKeys } from '../storage/secrets/installation-key.js';
import { type OpenedInference, openInference } from './inference.js';
import type { InstalledModels } from './models.js';

export interface ServiceCoreOptions {
  readonly settings: Settings;
  readonly logger: Logger;
  readonly models: InstalledModels;
  /** Models that every inference process loads before it takes jobs. */
  readonly warm: readonly ModelRef[];
}

export interface ServiceCore {
  readonly core: Core;
  readonly storage: ServiceStorage;
  readonly inference: OpenedInference;
}

/** Opens what the one service of a data folder is made from, and holds the folder until its storage is closed. */
export async function openServiceCore({
  settings,
  logger,
  models,
  warm,
}: ServiceCoreOptions): Promise<ServiceCore> {
  const metrics = createMetrics();
  const storage = await openStorage(settings, logger, metrics);
  let inference: OpenedInference | undefined;
  try {
    const { database, folder, pair } = storage;
    // Before anything is made that a service with the wrong key leaves behind.
    const keys = await openInstallationKeys({
      database,
      folder,
      settings,
      ...(settings.databaseUrl === '' ? {} : { aliveSince: aliveSince(database.clock(), settings) }),
    });
    const objects = await openObjectStorage(settings, folder);
    await requireBucket(database, objects?.bucket ?? null);
    inference = await openInference({
      settings,
      warm,
      logger,
      metrics,
      customModelsDirs: [folder.customModelsDir, folder.modelCacheDir],
    });
    const core = await createCore({
      objects,
      mode: 'service',
      settings,
      clock: database.clock,
      logger,
      metrics,
      folder,
      folderUid: pair.folder,
      database,
      installationKeys: async () => keys,
      runner: inference.runner,
      trainer: createTrainer({
        maxRssBytes: settings.trainingMaxMemoryMb * 1024 * 1024,
        processes: settings.inferenceProcesses,
        timeoutMs: settings.trainingTimeoutMs,
        onFault: (detail) => logger.error({ detail }, 'a fault in a training'),
      }),
      spool: inference.spool,
      installedModel: (id) => models.installed(id),
      builtinModels: createBuiltinModels(models.list(), settings),
    });
    return { core, storage, inference };
  } catch (error) {
    await inference?.runner.close();
    // A start that was refused leaves no folder behind that others wait for.
    await storage.pair.withdraw().catch(() => undefined);
    await storage.close();
    throw error;
  }
}

async function openStorage(settings: Settings, logger: Logger, metrics: Metrics): Promise<ServiceStorage> {
  const { databaseUrl, databaseConnections, joinInstallation } = settings;
  const version = readOwnVersion();
  const storage = await openServiceStorage(dataFolder(settings.dataDir), {
    databaseUrl,
    databaseConnections,
    joinInstallation,
    version,
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
  const { newerVersion } = storage;
  if (newerVersion !== null)
    logger.warn(
      { version, newerVersion },
      'a newer version has used this data; this one may not read all that it wrote',
    );
  const { finding, installation, folder } = storage.pair;
  if (finding !== null)
    logger.warn(
      { installation, folder, finding },
      'data folder and database differ; sweeps suspended for a day',
    );
  return storage;
}
