import type { Generated } from 'kysely';

/** One row: which installation this database is. */
export interface InstallationTable {
  only: 1;
  uid: string;
  created_at: number;
  /** Of the bucket with its blobs; null: they lie in data folders. */
  bucket_uid: string | null;
  /** Such as `s3://my-bucket/lynceus`. */
  bucket_address: string | null;
}

/** A data folder of the installation. */
export interface DataFolderTable {
  uid: string;
  /** Host and path, for whoever looks for it. */
  label: string;
  /** Raised here and in the folder at each start, stop and check: the half that is behind came from an older copy. */
  generation: number;
  joined_at: number;
  started_at: number;
  /** The last start, check or stop of a service on it. */
  seen_at: number;
  /** Null while a service runs on it, or after one that was killed. */
  stopped_at: number | null;
  /** Since when it counts as gone. */
  retired_at: number | null;
  /** What the last comparison that found a difference found. */
  finding: string | null;
  found_at: number | null;
  /** The newest version of the program that a service ran on it; null: it ran before versions were recorded. */
  version: Generated<string | null>;
}
