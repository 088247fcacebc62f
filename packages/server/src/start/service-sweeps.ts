import { sweepDeletedAccounts } from '../accounts/deletion/sweep-deleted-accounts.js';
import { sweepRevokedKeys } from '../accounts/sweep-keys.js';
import { rolesOf } from '../core/roles.js';
import { sweepEndedJobs } from '../jobs/sweep-jobs.js';
import type { Core } from '../module/core.js';
import { type IsImageThere, type Module, plainSweep } from '../module/module.js';
import { storesInBucket } from '../storage/objects/object-storage.js';
import { openSweepGuard } from '../storage/quarantine/open-quarantine.js';
import type { Sweeps } from '../storage/sweeps/sweep.js';
import { createStoreSweeps } from '../storage/sweeps/sweep-stores.js';
import { createSweeps } from '../storage/sweeps/sweeps.js';
import type { ImageOwner } from '../thumbnails/thumbnail-files.js';

/**
 * All that a service deletes by itself: of each module what its time is over for; files that no row names, which go to
 * quarantine; thumbnails without an image, keys revoked and jobs ended long ago. Without the role `jobs`, only on its own disk.
 */
export function createServiceSweeps(core: Core, modules: readonly Module[]): Sweeps {
  const { database, folder, settings, clock, logger, thumbnailCache, quarantine } = core;
  const options = {
    quarantine,
    guard: openSweepGuard(folder, core.objects),
    folder,
    quarantineDays: settings.quarantineDays,
    clock,
    logger,
    metrics: core.metrics.sweeps,
  };
  const storeSweeps = createStoreSweeps({
    ...options,
    stores: modules.flatMap(({ sweptStores = [] }) => sweptStores),
  });
  const isThere: Partial<Record<ImageOwner, IsImageThere>> = Object.assign(
    {},
    ...modules.map(({ images }) => images),
  );
  /** In a bucket, they are those of all services. */
  const shared: ReadonlySet<string> = new Set(core.objects ? storesInBucket : []);
  const sweepsAll = rolesOf(settings).has('jobs');
  return createSweeps({
    ...options,
    storeSweeps,
    sweeps: [
      ...modules.flatMap(({ sweeps = [] }) => sweeps),
      ...storeSweeps.sweeps.map((sweep) => ({ ...sweep, isLocal: !shared.has(sweep.name) })),
      plainSweep('deleted-accounts', () => sweepDeletedAccounts(database, quarantine, clock())),
      {
        ...plainSweep('thumbnails', () =>
          thumbnailCache.sweep(async ({ owner, id }) => (await isThere[owner]?.(id)) ?? false),
        ),
        isLocal: true,
      },
      plainSweep('revoked-keys', () => sweepRevokedKeys(database, clock())),
      plainSweep('ended-jobs', () => sweepEndedJobs(database, clock())),
    ].filter(({ isLocal }) => isLocal || sweepsAll),
  });
}
