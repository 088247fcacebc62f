import { Counter, Gauge, type Registry } from 'prom-client';

export interface SweepMetrics {
  countRun(sweep: string, outcome: string): void;
  countItems(store: string, action: 'quarantined' | 'returned' | 'purged', items: number): void;
  setBlocked(store: string, isBlocked: boolean): void;
  setSuspended(isSuspended: boolean): void;
}

export function createSweepMetrics(registers: Registry[]): SweepMetrics {
  const runs = new Counter({
    name: 'lynceus_sweep_runs_total',
    help: 'Runs of each sweep by outcome: done, failed, blocked (an operator is asked) or suspended.',
    labelNames: ['sweep', 'outcome'],
    registers,
  });
  const items = new Counter({
    name: 'lynceus_quarantine_items_total',
    help: 'Files that no row names, by what was done: quarantined, returned (a row names them again) or purged.',
    labelNames: ['store', 'action'],
    registers,
  });
  const blocked = new Gauge({
    name: 'lynceus_sweep_blocked',
    help: '1 while the sweep of a store waits for an operator, since it found too many files without a row.',
    labelNames: ['store'],
    registers,
  });
  const suspended = new Gauge({
    name: 'lynceus_sweeps_suspended',
    help: '1 while all sweeps are suspended, as after a restore.',
    registers,
  });
  return {
    countRun: (sweep, outcome) => runs.inc({ sweep, outcome }),
    countItems: (store, action, count) => items.inc({ store, action }, count),
    setBlocked: (store, isBlocked) => blocked.set({ store }, isBlocked ? 1 : 0),
    setSuspended: (isSuspended) => suspended.set(isSuspended ? 1 : 0),
  };
}
