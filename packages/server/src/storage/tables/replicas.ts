import type { Generated } from 'kysely';

/** A service that runs on the database. */
export interface ReplicaTable {
  /** Random, another at each start. */
  uid: string;
  host: string;
  version: string;
  /** Separated by commas: `http`, `ftp`, `jobs`, `training`. */
  roles: string;
  started_at: number;
  /** By the clock of the database, every few seconds. */
  seen_at: number;
  /** Check values of the keys that it opens with, separated by commas, that of the sealing key first; null: it does not say. */
  key_checks: Generated<string | null>;
}

/** Who alone does what one replica must do for all. */
export interface LeaderLeaseTable {
  name: string;
  /** UID of a replica. */
  owner: string;
  /** One more with each owner: a unit that checks it fails once another has taken over. */
  epoch: number;
  leased_until: number;
}

/** How often something was tried. */
export interface ThrottleTable {
  /** Digest of what is counted and by whom. */
  key: string;
  times: number;
  /** Tries under way, of which nobody knows yet how they end. */
  held: Generated<number>;
  last_at: number;
  /** Not before. */
  next_at: number;
  /** From when on the row says nothing any more. */
  forget_at: number;
}

/** One row, or none: the oldest version of the program that may start on the database. */
export interface MinimumVersionTable {
  only: 1;
  version: string;
}
