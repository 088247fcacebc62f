import { dataFolder } from '#server/storage/data-folder.js';
import type { StoreName } from '#server/storage/quarantine/store-names.js';
import { createSweepGuard } from '#server/storage/quarantine/sweep-guard.js';

/** As an operator does: in a small store, the orphans of a kill may exceed the share that a sweep deletes by itself. */
export async function confirmSweeps(dataDir: string, stores: readonly StoreName[]): Promise<void> {
  const guard = createSweepGuard(dataFolder(dataDir).quarantineDir);
  for (const store of stores) {
    await guard.block(store, { orphans: 1000, items: 1000 }, Date.now());
    await guard.confirm(store, Date.now());
  }
}
