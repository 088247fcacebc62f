import type { Clock } from '../../core/clock.js';
import type { Logger } from '../../core/logger.js';
import type { SweepMetrics } from '../../core/metrics.js';
import type { Quarantine } from '../quarantine/quarantine.js';
import type { StoreName } from '../quarantine/store-names.js';
import type { BlockedSweep, SweepGuard } from '../quarantine/sweep-guard.js';
import { returnNamed, type SweptStore, sweepStore } from '../quarantine/sweep-store.js';
import type { Sweep } from './sweep.js';

interface StoreSweepsDeps {
  readonly stores: readonly SweptStore[];
  /** Those that several services share: the one that leads sweeps them. */
  readonly sharedStores: ReadonlySet<StoreName>;
  readonly quarantine: Quarantine;
  readonly guard: SweepGuard;
  readonly quarantineDays: number;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'error'>;
  readonly metrics: SweepMetrics;
}

export interface StoreSweeps {
  readonly sweeps: readonly Sweep[];
  /** Stores that wait for an operator, as far as is known. */
  readonly blocked: ReadonlyMap<StoreName, BlockedSweep>;
  /** Moves back what rows name again, of every store; one that fails stops no other. Never throws. */
  returnNamed(): Promise<void>;
}

/** The sweeps of files that no row names. */
export function createStoreSweeps(deps: StoreSweepsDeps): StoreSweeps {
  const { stores, quarantine, guard, quarantineDays, clock, logger, metrics } = deps;
  const blocked = new Map<StoreName, BlockedSweep>();
  const report = (store: StoreName, found: BlockedSweep | null) => {
    const before = blocked.get(store);
    metrics.setBlocked(store, found !== null);
    if (found === null) {
      if (blocked.delete(store)) logger.info({ store }, 'sweep no longer blocked');
      return;
    }
    blocked.set(store, found);
    // Once for what was found, and not again each hour.
    if (before?.orphans === found.orphans) return;
    logger.error(
      { store, orphans: found.orphans, items: found.items },
      'sweep blocked: too many files have no row, which may mean that the wrong or an older database is in use. Nothing was moved. Check the database; if the files are really orphaned, run lynceus orphans confirm STORE or confirm on the administration page',
    );
  };
  const count = (store: StoreName, action: 'quarantined' | 'returned' | 'purged', items: number) => {
    if (items === 0) return;
    metrics.countItems(store, action, items);
    logger.info({ store, items }, `orphaned files ${action}`);
  };
  return {
    blocked,
    sweeps: stores.map((store) => ({
      name: store.name,
      isLed: deps.sharedStores.has(store.name),
      isLocal: !deps.sharedStores.has(store.name),
      follow: async () => report(store.name, await guard.readBlocked(store.name)),
      async run() {
        const swept = await sweepStore(store, { quarantine, guard, quarantineDays, nowMs: clock() });
        count(store.name, 'returned', swept.returned);
        count(store.name, 'quarantined', swept.quarantined);
        count(store.name, 'purged', swept.purged);
        report(store.name, swept.blocked);
        return swept.blocked ? 'blocked' : 'done';
      },
    })),

    async returnNamed() {
      for (const store of stores) {
        try {
          metrics.setBlocked(store.name, false);
          const known = await guard.readBlocked(store.name);
          if (known) report(store.name, known);
          count(store.name, 'returned', await returnNamed(store, quarantine));
        } catch (error) {
          logger.error({ err: error, store: store.name }, 'quarantined files could not be moved back');
        }
      }
    },
  };
}
