import type { Clock } from '../clock.js';
import type { Part } from '../lifecycle.js';
import { startAnalysisSweep } from '../recognition/record.js';
import type { BlobStore } from '../storage/blobs/blob-store.js';
import type { Database } from '../storage/database.js';
import type { Logger } from '../telemetry/logger.js';

const intervalMs = 3_600_000;

/** Deletes analyses whose time is over, now and every hour. */
export function createSweepPart(deps: {
  database: Database;
  pictures: BlobStore;
  clock: Clock;
  logger: Logger;
}): Part {
  const { database, pictures, clock, logger } = deps;
  let end: () => Promise<void> = async () => {};
  return {
    name: 'retention',
    async start() {
      const onError = (error: unknown) => logger.error({ err: error }, 'old analyses could not be deleted');
      end = startAnalysisSweep({ database, pictures, clock, intervalMs, onError });
    },
    isReady: () => true,
    stop: () => end(),
  };
}
