import type { Database } from '../database.js';
import type { StoreName } from '../quarantine/store-names.js';
import type { BlockedSweep } from '../quarantine/sweep-guard.js';
import type { SweepSuspension } from '../sweep-suspension.js';

export const sweepOutcomes = ['done', 'failed', 'blocked', 'suspended'] as const;
/** Blocked: an operator is asked before anything moves. Suspended: nothing was done. */
export type SweepOutcome = (typeof sweepOutcomes)[number];

/** Periodic work that deletes what is over, one subject each: one that fails stops no other. */
export interface Sweep {
  readonly name: string;
  /** Whether it runs while sweeps are suspended, since it deletes nothing that is not elsewhere. */
  readonly isRepair?: boolean;
  /** Whether it is about files of this machine, so that every service runs it, and not those of the role `jobs` alone. */
  readonly isLocal?: boolean;
  /** Whether it deletes rows, which of several services on a database only the one that leads does. */
  readonly isLed?: boolean;
  /** Of a led one, what a service does that does not lead: reads what the leader found. */
  follow?(): Promise<void>;
  /** @param database Of a led one: its units fail once another service leads. */
  run(database: Database): Promise<'done' | 'blocked'>;
}

/** How the sweeps are. */
export interface SweepsState {
  readonly suspension: SweepSuspension | null;
  /** In the order in which they run; an outcome is null before the first run here since the start. */
  readonly sweeps: readonly {
    readonly name: string;
    readonly outcome: SweepOutcome | null;
    readonly ranAtMs: number | null;
  }[];
  readonly stores: readonly {
    readonly name: StoreName;
    /** Items in quarantine. */
    readonly quarantined: number;
    readonly blocked: (BlockedSweep & { readonly isConfirmed: boolean }) | null;
  }[];
  readonly quarantineDays: number;
}

export interface Sweeps {
  /** At the start, before anything is served: moves back what is in quarantine and rows name. Never throws. */
  returnNamed(): Promise<void>;
  /** All, one after the other; never throws. Calls during a run wait for that run. */
  runAll(): Promise<void>;
  /** What an operator has to know, in words; undefined: nothing. */
  warning(): string | undefined;
  state(): Promise<SweepsState>;
  /**
   * Lets the sweep of a blocked store take what it found, beginning at once in the background.
   * Throws `not_found` where the store is not blocked, `conflict` where another number was found.
   */
  confirm(store: StoreName, orphans: number): Promise<SweepsState>;
  /** Ends what is under way. */
  close(): Promise<void>;
}
