import { sweepDeletedAccounts } from '../accounts/deletion/sweep-deleted-accounts.js';
import { sweepRevokedKeys } from '../accounts/sweep-keys.js';
import { rolesOf } from '../core/roles.js';
import type { Core } from '../service/core.js';
import { sweepEndedJobs } from '../service/jobs/sweep-jobs.js';
import { sweepThrottles } from '../service/limits/throttle-key.js';
import { type IsImageThere, ledSweep, type Module, plainSweep } from '../service/module.js';
import { storesInBucket } from '../storage/objects/object-storage.js';
import { openSweepGuard } from '../storage/quarantine/open-quarantine.js';
import { openSweepSuspensions } from '../storage/quarantine/open-suspension.js';
import type { StoreName } from '../storage/quarantine/store-names.js';
import type { Leadership } from '../storage/sweeps/leadership.js';
import type { Sweeps } from '../storage/sweeps/sweep.js';
import { sweepCopies } from '../storage/sweeps/sweep-copies.js';
import { createStoreSweeps } from '../storage/sweeps/sweep-stores.js';
import { createSweeps } from '../storage/sweeps/sweeps.js';
import type { ImageOwner } from '../storage/thumbnails/thumbnail-files.js';

/**
 * All that a service deletes by itself: of each module what its time is over for; files that no row names, which go to
 * quarantine; thumbnails without an image, keys revoked and jobs ended long ago. Rows only while it leads those on its database;
 * without the role `jobs`, only what is on its own disk.
 */
export function createServiceSweeps(core: Core, modules: readonly Module[], leadership: Leadership): Sweeps {
  const { database, folder, settings, clock, logger, thumbnailCache, quarantine } = core;
  const options = {
    quarantine,
    guard: openSweepGuard(folder, core.objects),
    suspensions: openSweepSuspensions(folder, core.objects),
    quarantineDays: settings.quarantineDays,
    clock,
    logger,
    metrics: core.metrics.sweeps,
  };
  /** Of all services: in a bucket. */
  const sharedStores = new Set<StoreName>(core.objects === null ? [] : storesInBucket);
  const stores = modules.flatMap(({ sweptStores = [] }) => sweptStores);
  const storeSweeps = createStoreSweeps({ ...options, stores, sharedStores });
  const isThere: Partial<Record<ImageOwner, IsImageThere>> = Object.assign(
    {},
    ...modules.map(({ images }) => images),
  );
  const sweepsAll = rolesOf(settings).has('jobs');
  return createSweeps({
    ...options,
    database,
    leadership,
    storeSweeps,
    sweeps: [
      ...modules.flatMap(({ sweeps = [] }) => sweeps),
      ...storeSweeps.sweeps,
      plainSweep('deleted-accounts', () => sweepDeletedAccounts(database, quarantine, clock())),
      {
        ...plainSweep('thumbnails', () =>
          thumbnailCache.sweep(async ({ owner, id }) => (await isThere[owner]?.(id)) ?? false),
        ),
        isLocal: true,
        // They are made again.
        isRepair: true,
      },
      ...(core.objects ? [sweepCopies(core.objects.cache, stores)] : []),
      ledSweep('revoked-keys', (fenced) => sweepRevokedKeys(fenced, clock())),
      ledSweep('throttles', (fenced) => sweepThrottles(fenced, clock())),
      ledSweep('ended-jobs', (fenced) => sweepEndedJobs(fenced, clock())),
    ].filter(({ isLocal }) => isLocal || sweepsAll),
  });
}
