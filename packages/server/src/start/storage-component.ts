import type { Component } from '../core/lifecycle.js';
import type { Logger } from '../core/logger.js';
import type { ServiceStorage } from '../storage/open-storage.js';

const everyMs = 3_600_000;

interface StorageComponentOptions {
  readonly logger: Pick<Logger, 'error'>;
  /** Between two looks whether folder and database still belong together; every hour unless given. */
  readonly intervalMs?: number;
}

/**
 * Open already, since everything else is made from it; here it gets its place in the order of stopping, and a timer of its own
 * for the pair of folder and database, which is looked at also while sweeps take long or fail.
 */
export function createStorageComponent(
  storage: Pick<ServiceStorage, 'database' | 'pair' | 'close'>,
  { logger, intervalMs = everyMs }: StorageComponentOptions,
): Component {
  let timer: NodeJS.Timeout | undefined;
  const check = () => {
    storage.pair
      .check()
      .catch((error: unknown) => logger.error({ err: error }, 'data folder and database not compared'));
  };
  return {
    name: 'database',
    async start() {
      timer = setInterval(check, intervalMs).unref();
    },
    isReady: () => storage.database.isReady(),
    notices: () => storage.pair.notices(),
    async stop() {
      clearInterval(timer);
      await storage.close();
    },
  };
}
