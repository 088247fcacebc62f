import type { Storage } from '#server/storage/open-storage.js';
import type { ReplicaName } from './installation.js';

/** What clients do while an installation is disturbed, and know of it afterwards. */
export interface Work {
  /** Starts its clients for one round. */
  start(round: number): { over(): Promise<void> };
  /** Compares what is there with what was acknowledged, and answers descriptions of the differences. */
  check(asked: WorkCheck): Promise<readonly string[]>;
  /** What was done up to now. */
  describe(): string;
  close(): Promise<void>;
}

export interface WorkCheck {
  /** The replica that is asked, where one is enough. */
  readonly reader: ReplicaName;
  readonly storage: Pick<Storage, 'database'>;
  /** For jobs to end; 0: they are not awaited. */
  readonly waitMs: number;
}
