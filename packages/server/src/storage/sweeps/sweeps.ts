import type { Clock } from '../../core/clock.js';
import type { Logger } from '../../core/logger.js';
import type { SweepMetrics } from '../../core/metrics.js';
import { ServiceError } from '../../core/service-error.js';
import type { Database } from '../database.js';
import type { SweepSuspensions } from '../quarantine/open-suspension.js';
import type { Quarantine } from '../quarantine/quarantine.js';
import { type StoreName, storeNames } from '../quarantine/store-names.js';
import type { SweepGuard } from '../quarantine/sweep-guard.js';
import type { SweepSuspension } from '../sweep-suspension.js';
import { type Leadership, LeadershipLost } from './leadership.js';
import type { Sweep, SweepOutcome, Sweeps, SweepsState } from './sweep.js';
import type { StoreSweeps } from './sweep-stores.js';

interface SweepsDeps {
  /** In the order in which they run. */
  readonly sweeps: readonly Sweep[];
  readonly database: Database;
  readonly leadership: Leadership;
  readonly storeSweeps: Pick<StoreSweeps, 'blocked' | 'returnNamed'>;
  readonly quarantine: Pick<Quarantine, 'list'>;
  readonly guard: SweepGuard;
  readonly suspensions: Pick<SweepSuspensions, 'read'>;
  readonly quarantineDays: number;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly metrics: SweepMetrics;
}

export function createSweeps(deps: SweepsDeps): Sweeps {
  const { sweeps, storeSweeps, guard, suspensions, quarantineDays, clock, logger, metrics } = deps;
  const ran = new Map<string, { readonly outcome: SweepOutcome; readonly ranAtMs: number }>();
  let suspension: SweepSuspension | null = null;
  let running: Promise<void> = Promise.resolve();
  let isRunningAll = false;
  let isClosed = false;

  /** Suspended too where that is unknown: a damaged file is no permission to delete. */
  const readSuspension = async (): Promise<SweepSuspension | null> => {
    const before = suspension;
    try {
      suspension = await suspensions.read(clock());
    } catch (error) {
      logger.error({ err: error }, 'sweeps are suspended: the file that says until when is unreadable');
      suspension = { untilMs: Number.MAX_SAFE_INTEGER, reason: 'unreadable' };
    }
    metrics.setSuspended(suspension !== null);
    if (suspension && suspension.untilMs !== before?.untilMs) logger.warn(suspension, 'sweeps suspended');
    if (before && !suspension) logger.info('sweeps resumed');
    return suspension;
  };

  const runOne = async (sweep: Sweep): Promise<void> => {
    let outcome: SweepOutcome;
    try {
      const database = sweep.isLed ? deps.leadership.lead() : deps.database;
      // Another service does it.
      if (database === null) return await sweep.follow?.();
      // Read again for each: a restore beside this may suspend them in between.
      const isSuspended = (await readSuspension()) !== null && !sweep.isRepair;
      outcome = isSuspended ? 'suspended' : await sweep.run(database);
    } catch (error) {
      if (error instanceof LeadershipLost) {
        logger.warn({ sweep: sweep.name }, 'sweep left to another replica, which leads by now');
        return;
      }
      // The next run tries again.
      outcome = 'failed';
      logger.error({ err: error, sweep: sweep.name }, 'sweep failed');
    }
    metrics.countRun(sweep.name, outcome);
    ran.set(sweep.name, { outcome, ranAtMs: clock() });
  };

  const enqueue = (work: () => Promise<void>): Promise<void> => {
    running = running.then(work);
    return running;
  };

  const state = async (): Promise<SweepsState> => {
    const quarantined = new Map<StoreName, number>();
    for await (const { store } of deps.quarantine.list()) {
      quarantined.set(store, (quarantined.get(store) ?? 0) + 1);
    }
    const blocked = await guard.listBlocked();
    const stores: SweepsState['stores'][number][] = [];
    for (const name of storeNames) {
      const found = blocked.get(name);
      stores.push({
        name,
        quarantined: quarantined.get(name) ?? 0,
        blocked: found
          ? { ...found, isConfirmed: await guard.isConfirmed(name, found.orphans, clock()) }
          : null,
      });
    }
    return {
      suspension: await readSuspension(),
      sweeps: sweeps.map(({ name }) => ({
        name,
        ...(ran.get(name) ?? { outcome: null, ranAtMs: null }),
      })),
      stores,
      quarantineDays,
    };
  };

  return {
    state,

    async returnNamed() {
      await readSuspension();
      await storeSweeps.returnNamed();
    },

    runAll() {
      if (isRunningAll) return running;
      isRunningAll = true;
      return enqueue(async () => {
        for (const sweep of sweeps) if (!isClosed) await runOne(sweep);
        isRunningAll = false;
      });
    },

    warning() {
      const words = [...storeSweeps.blocked].map(
        ([store, { orphans, items }]) =>
          `the sweep of ${store} waits for an operator: ${orphans} of ${items} files have no row`,
      );
      if (suspension) words.unshift(`sweeps are suspended ${untilOf(suspension)} (${suspension.reason})`);
      return words.length === 0 ? undefined : words.join('; ');
    },

    async confirm(store, orphans) {
      const blocked = await guard.readBlocked(store);
      if (!blocked) throw new ServiceError('not_found', `the sweep of ${store} is not blocked`);
      if (blocked.orphans !== orphans) {
        throw new ServiceError(
          'conflict',
          `the sweep of ${store} found ${blocked.orphans} files without a row, not ${orphans}: look again`,
        );
      }
      await guard.confirm(store, clock());
      const sweep = sweeps.find(({ name }) => name === store);
      if (sweep) void enqueue(() => runOne(sweep));
      return state();
    },

    async close() {
      isClosed = true;
      await running;
    },
  };
}

function untilOf({ untilMs }: SweepSuspension): string {
  const until = new Date(untilMs);
  return Number.isNaN(until.getTime()) ? 'until they are resumed' : `until ${until.toISOString()}`;
}
