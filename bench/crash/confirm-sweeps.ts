import { dataFolder } from '#server/storage/data-folder.js';
import { openSweepGuard } from '#server/storage/quarantine/open-quarantine.js';
import type { StoreName } from '#server/storage/quarantine/store-names.js';

/** As an operator does: in a small store, the orphans of a kill may exceed the share that a sweep deletes by itself. */
export async function confirmSweeps(dataDir: string, stores: readonly StoreName[]): Promise<void> {
  const guard = openSweepGuard(dataFolder(dataDir), null);
  for (const store of stores) {
    await guard.block(store, { orphans: 1000, items: 1000 }, Date.now());
    await guard.confirm(store, Date.now());
  }
}
