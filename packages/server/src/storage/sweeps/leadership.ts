import type { Database } from '../database.js';

/** Who of several services on one database deletes rows whose time is over. */
export interface Leadership {
  /** The database for whoever leads, whose units fail with `LeadershipLost` once another does; null for all others. */
  lead(): Database | null;
}

/** Another service leads by now: nothing of the unit has happened. */
export class LeadershipLost extends Error {
  override readonly name = 'LeadershipLost';
  constructor(cause: unknown) {
    super('another replica leads by now', { cause });
  }
}
