import { number, table, text } from './define-table.js';

/** One row: which installation this database is. */
export const installation = table(
  {
    only: number<1>().primaryKey().check('= 1'),
    uid: text(),
    created_at: number(),
    /** Of the bucket with its blobs; null: they lie in data folders. */
    bucket_uid: text().orNull(),
    /** Such as `s3://my-bucket/lynceus`. */
    bucket_address: text().orNull(),
  },
  { kept: 'of the service' },
);

/** A data folder of the installation. */
export const dataFolder = table(
  {
    uid: text().primaryKey(),
    /** Host and path, for whoever looks for it. */
    label: text(),
    /** Raised here and in the folder at each start, stop and check: the half that is behind came from an older copy. */
    generation: number(),
    joined_at: number(),
    started_at: number(),
    /** The last start, check or stop of a service on it. */
    seen_at: number(),
    /** Null while a service runs on it, or after one that was killed. */
    stopped_at: number().orNull(),
    /** Since when it counts as gone. */
    retired_at: number().orNull(),
    /** What the last comparison that found a difference found. */
    finding: text().orNull(),
    found_at: number().orNull(),
    /** The newest version of the program that a service ran on it; null: it ran before versions were recorded. */
    version: text().orNull(),
  },
  { kept: 'of the service' },
);
