import type { Compilable, Kysely } from 'kysely';
import type { Clock } from '../core/clock.js';
import type { ComponentState } from '../core/lifecycle.js';
import type { Schema } from './schema.js';

/** One statement's outcome: the rows of a RETURNING or SELECT, and how many rows were touched. */
export interface WriteResult {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly changes: number;
}

export interface WriteOptions {
  /**
   * Whether such units run one at a time, whichever program asks for them: for a unit that decides by rows which another
   * one like it would change. Every unit of SQLite does; on PostgreSQL it costs a lock.
   */
  readonly isSerialized?: boolean;
  /** Callers whose changes the statements are, for the metrics; 1 unless given. */
  readonly units?: number;
}

/** The database behind the service: SQLite or PostgreSQL, by one schema. No SQL runs on the serving thread. */
export interface Database {
  /** Builds every query; executing through it reads. */
  readonly query: Kysely<Schema>;
  /**
   * By which leases and times are set: that of the PostgreSQL server, the same for all services on it, or this machine's for SQLite.
   */
  readonly clock: Clock;
  /** Whether units of many callers share one commit, as on SQLite. Where they do not, many small units are quicker as one. */
  readonly groupsCommits: boolean;
  /**
   * Executes statements as one atomic unit, in order. A failing unit takes no other with it. When the promise resolves the unit is on disk.
   */
  write(statements: readonly Compilable[], options?: WriteOptions): Promise<readonly WriteResult[]>;
  /**
   * What was deleted stays in the log of SQLite no longer, where pages from before were; its file was overwritten with the
   * deletion. Throws `overloaded` while a reader uses it. Of PostgreSQL its own clean-up takes care.
   */
  compact(): Promise<void>;
  /** True, or why it cannot answer; degraded while it is likely back in seconds. */
  isReady(): ComponentState;
  /** Finishes what was asked for, then closes; later calls are refused. */
  close(): Promise<void>;
}
