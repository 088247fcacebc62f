import type { NamedRows } from './named-files.js';

/** One state of the database, which others go on changing. */
export interface Snapshot {
  readonly kind: 'sqlite' | 'postgres';
  /** Names of the changes that its schema has. */
  readonly migrations: readonly string[];
  /** Null where it is not known before it is read. */
  readonly sizeBytes: number | null;
  readonly rows: NamedRows;
  /** The whole of it, once. Throws where not all of it came. */
  read(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** Where a snapshot is taken from. */
export interface SnapshotSource {
  take(): Promise<Snapshot>;
  /** The database as it is now, for a second look. */
  now(): Promise<{ readonly rows: NamedRows; close(): Promise<void> }>;
}
