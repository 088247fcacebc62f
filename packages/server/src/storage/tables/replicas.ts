import { number, table, text } from './define-table.js';

/** A service that runs on the database. */
export const replica = table(
  {
    /** Random, another at each start. */
    uid: text().primaryKey(),
    host: text(),
    version: text(),
    /** Separated by commas: `http`, `ftp`, `jobs`, `training`. */
    roles: text(),
    started_at: number(),
    /** By the clock of the database, every few seconds. */
    seen_at: number(),
    /** Check values of the keys that it opens with, separated by commas, that of the sealing key first; null: it does not say. */
    key_checks: text().orNull(),
  },
  { kept: 'of the service' },
);

/** Who alone does what one replica must do for all. */
export const leaderLease = table(
  {
    name: text().primaryKey(),
    /** UID of a replica. */
    owner: text(),
    /** One more with each owner: a unit that checks it fails once another has taken over. */
    epoch: number(),
    leased_until: number(),
  },
  { kept: 'of the service' },
);

/** How often something was tried. */
export const throttle = table(
  {
    /** Digest of what is counted and by whom. */
    key: text().primaryKey(),
    times: number(),
    /** Tries under way, of which nobody knows yet how they end. */
    held: number().default(0),
    last_at: number(),
    /** Not before. */
    next_at: number(),
    /** From when on the row says nothing any more. */
    forget_at: number(),
  },
  { indexes: { age: ['forget_at'] }, kept: 'digests, forgotten within a day' },
);

/** One row, or none: the oldest version of the program that may start on the database. */
export const minimumVersion = table(
  {
    only: number<1>().primaryKey(),
    version: text(),
  },
  { kept: 'of the service' },
);
