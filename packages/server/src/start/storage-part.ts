import type { Part } from '../lifecycle.js';
import type { Storage } from '../storage/open-storage.js';

/** Open already, since everything else is made from it; here it gets its place in the order of stopping. */
export function createStoragePart(storage: Storage): Part {
  return {
    name: 'database',
    start: async () => {},
    isReady: () => storage.database.isReady(),
    stop: () => storage.close(),
  };
}
