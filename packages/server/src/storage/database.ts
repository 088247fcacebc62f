import type { Compilable, Kysely } from 'kysely';
import type { Schema } from './schema.js';

/** One statement's outcome: the rows of a RETURNING or SELECT, and how many rows were touched. */
export interface WriteResult {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly changes: number;
}

/**
 * The database behind the service: SQLite today, PostgreSQL by the same schema. Nothing here runs on the serving
 * thread.
 */
export interface Database {
  /** Builds every query; executing through it reads. */
  readonly query: Kysely<Schema>;
  /**
   * Executes statements as one atomic unit, in order. Units of many callers share a commit, and a failing unit
   * takes no other with it. When the promise resolves the unit is on disk.
   */
  write(statements: readonly Compilable[]): Promise<readonly WriteResult[]>;
  /** True, or why it cannot answer. */
  isReady(): true | string;
  /** Finishes what was asked for, then closes; later calls are refused. */
  close(): Promise<void>;
}
