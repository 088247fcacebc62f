import type { Part } from '../lifecycle.js';
import type { ServiceStorage } from '../storage/open-storage.js';

/** Open already, since everything else is made from it; here it gets its place in the order of stopping. */
export function createStoragePart(storage: ServiceStorage): Part {
  return {
    name: 'database',
    start: async () => {},
    isReady: () => storage.database.isReady(),
    notices: () => storage.pair.notices(),
    stop: () => storage.close(),
  };
}
