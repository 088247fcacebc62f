import { sweepDeletedAccounts } from '../accounts/deletion/sweep-deleted-accounts.js';
import { sweepRevokedKeys } from '../accounts/sweep-keys.js';
import type { Clock } from '../core/clock.js';
import type { Logger } from '../core/logger.js';
import type { SweepMetrics } from '../core/sweep-metrics.js';
import { sweepEndedImports, sweptImports } from '../datasets/import/import-job.js';
import { sweptDatasetImages } from '../datasets/sweep-images.js';
import type { DropStore } from '../drops/drop-store.js';
import { sweptFaceImages } from '../faces/sweep-images.js';
import { sweepEndedJobs } from '../jobs/sweep-jobs.js';
import type { ModelStore } from '../models/model-store.js';
import { sweptAnalysisImages } from '../recognition/kept-images.js';
import { sweepExpiredAnalyses } from '../recognition/record.js';
import type { BlobStore } from '../storage/blobs/blob-store.js';
import type { DataFolder } from '../storage/data-folder.js';
import type { Database } from '../storage/database.js';
import { openQuarantine } from '../storage/quarantine/quarantine.js';
import { createSweepGuard } from '../storage/quarantine/sweep-guard.js';
import type { Sweep, Sweeps } from '../storage/sweeps/sweep.js';
import { createStoreSweeps } from '../storage/sweeps/sweep-stores.js';
import { createSweeps } from '../storage/sweeps/sweeps.js';
import type { ThumbnailSweep } from '../thumbnails/thumbnail-sweep.js';
import { sweepUsers, type UserRetention } from '../users/sweep-users.js';

type SweptBlobs = Pick<BlobStore, 'list' | 'pathOf' | 'remove'>;

export interface ServiceSweepsDeps {
  readonly database: Database;
  readonly folder: Pick<DataFolder, 'quarantineDir' | 'sweepSuspensionPath'>;
  /** Of analyses, of faces, and of datasets. */
  readonly imageFiles: SweptBlobs;
  readonly faceImages: SweptBlobs;
  readonly datasetImages: SweptBlobs;
  /** Zips that are imported into datasets. */
  readonly imports: SweptBlobs;
  readonly customModels: Pick<ModelStore, 'sweptVersions' | 'sweepFeatures'>;
  readonly drops: Pick<DropStore, 'sweptBytes' | 'sweep' | 'recoverAbandoned'>;
  readonly settings: UserRetention & { readonly quarantineDays: number };
  readonly thumbnails: ThumbnailSweep;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly metrics: SweepMetrics;
}

/**
 * All that a service deletes by itself: analyses, sessions, audit entries and drops' files whose time is over, keys revoked and
 * jobs ended long ago, caches; and files that no row names, which go to quarantine.
 */
export function createServiceSweeps(deps: ServiceSweepsDeps): Sweeps {
  const { database, folder, imports, customModels, drops, settings, clock, logger, metrics } = deps;
  const { quarantineDays } = settings;
  const quarantine = openQuarantine(folder.quarantineDir);
  const guard = createSweepGuard(folder.quarantineDir);
  const storeSweeps = createStoreSweeps({
    stores: [
      sweptAnalysisImages(database, deps.imageFiles),
      sweptFaceImages(database, deps.faceImages),
      sweptDatasetImages(database, deps.datasetImages),
      sweptImports(database, imports),
      customModels.sweptVersions,
      drops.sweptBytes,
    ],
    quarantine,
    guard,
    quarantineDays,
    clock,
    logger,
    metrics,
  });
  const sweep = (name: string, work: () => Promise<unknown>): Sweep => ({
    name,
    run: async () => {
      await work();
      return 'done';
    },
  });
  return createSweeps({
    sweeps: [
      { ...sweep('abandoned-uploads', () => drops.recoverAbandoned()), isRepair: true },
      sweep('expired-analyses', () => sweepExpiredAnalyses(database, deps.imageFiles, clock())),
      sweep('ended-imports', () => sweepEndedImports(database, imports)),
      sweep('ended-drop-files', () => drops.sweep()),
      ...storeSweeps.sweeps,
      sweep('deleted-accounts', () => sweepDeletedAccounts(database, quarantine, clock())),
      sweep('features', () => customModels.sweepFeatures()),
      sweep('users', () => sweepUsers(database, clock(), settings)),
      sweep('thumbnails', () => deps.thumbnails.sweep()),
      sweep('revoked-keys', () => sweepRevokedKeys(database, clock())),
      sweep('ended-jobs', () => sweepEndedJobs(database, clock())),
    ],
    storeSweeps,
    quarantine,
    guard,
    folder,
    quarantineDays,
    clock,
    logger,
    metrics,
  });
}
