import { type PeopleKept, sweepPeople } from '../accounts/people/sweep-people.js';
import { sweepRevokedKeys } from '../accounts/sweep-keys.js';
import type { Clock } from '../clock.js';
import { sweepImports } from '../datasets/import/import-job.js';
import { sweepOrphanDatasetPictures } from '../datasets/sweep-pictures.js';
import type { DropStore } from '../drop/drop-store.js';
import { sweepEndedJobs } from '../jobs/sweep-jobs.js';
import type { Part } from '../lifecycle.js';
import type { ModelStore } from '../models/model-store.js';
import { sweepOrphanFacePictures } from '../perceptions/sweep-pictures.js';
import { sweepOrphanPictures } from '../recognition/kept-pictures.js';
import { sweepExpiredAnalyses } from '../recognition/record.js';
import type { BlobStore } from '../storage/blobs/blob-store.js';
import type { DataFolder } from '../storage/data-folder.js';
import type { Database } from '../storage/database.js';
import type { RunningPair } from '../storage/identity/running-pair.js';
import { readSweepSuspension } from '../storage/sweep-suspension.js';
import type { Logger } from '../telemetry/logger.js';
import type { ThumbnailSweep } from '../thumbnails/thumbnail-sweep.js';

const everyMs = 3_600_000;

export interface SweepDeps {
  readonly database: Database;
  readonly folder: Pick<DataFolder, 'sweepSuspensionPath'>;
  /** Whether the database is still the one that names the files of the folder. */
  readonly pair: Pick<RunningPair, 'check'>;
  /** Of analyses, of faces, and of datasets. */
  readonly pictures: Pick<BlobStore, 'list' | 'remove'>;
  readonly facePictures: Pick<BlobStore, 'list' | 'remove'>;
  readonly datasetPictures: Pick<BlobStore, 'list' | 'remove'>;
  /** Zips that are imported into datasets. */
  readonly imports: Pick<BlobStore, 'list' | 'remove'>;
  readonly customModels: Pick<ModelStore, 'sweep'>;
  readonly drops: Pick<DropStore, 'sweep'>;
  readonly settings: PeopleKept;
  readonly thumbnails: ThumbnailSweep;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'error' | 'warn'>;
  /** Every hour unless given. */
  readonly intervalMs?: number;
}

/**
 * Deletes analyses, sessions and audit entries whose time is over, pictures that no row names, keys revoked and jobs ended long ago: at the start
 * and from then on periodically.
 */
export function createSweepPart({
  database,
  folder,
  pair,
  pictures,
  facePictures,
  datasetPictures,
  imports,
  customModels,
  drops,
  settings,
  thumbnails,
  clock,
  logger,
  intervalMs = everyMs,
}: SweepDeps): Part {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  const sweep = async () => {
    try {
      await sweepExpiredAnalyses(database, pictures, clock());
      await pair.check();
      const suspension = await readSweepSuspension(folder, clock());
      if (suspension) {
        logger.warn(
          { until: new Date(suspension.untilMs).toISOString(), reason: suspension.reason },
          'sweeps suspended',
        );
      } else {
        await sweepOrphanPictures(database, pictures, clock());
        await sweepOrphanFacePictures(database, facePictures, clock());
        await sweepOrphanDatasetPictures(database, datasetPictures, clock());
        await sweepImports(database, imports, clock());
        await customModels.sweep();
        await drops.sweep();
        await thumbnails.sweep();
      }
      await sweepPeople(database, clock(), settings);
      await sweepRevokedKeys(database, clock());
      await sweepEndedJobs(database, clock());
    } catch (error) {
      // The next sweep tries again.
      logger.error({ err: error }, 'what is old could not be deleted');
    }
  };
  const sweepUnlessSweeping = () => {
    running ??= sweep().finally(() => {
      running = undefined;
    });
  };
  return {
    name: 'retention',
    async start() {
      sweepUnlessSweeping();
      timer = setInterval(sweepUnlessSweeping, intervalMs).unref();
    },
    isReady: () => true,
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
