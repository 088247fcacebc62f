import type { Connection } from './connection.js';
import type { Outcome, Unit } from './messages.js';

const statement = 'PRAGMA wal_checkpoint(TRUNCATE)';

/**
 * Asks the writer to move all of its log into the file of the database, and to empty it: pages from before a deletion stand in the
 * log until then. Not within a transaction.
 */
export const checkpointUnit: Unit = [[statement, []]];

export function isCheckpoint(unit: Unit): boolean {
  return unit[0]?.[0] === statement;
}

/** Fails as `overloaded` while a reader uses the log: it does not wait, since all writers would wait too. */
export function checkpoint(connection: Connection, busyTimeoutMs: number): Outcome {
  connection.run('PRAGMA busy_timeout = 0', []);
  try {
    const result = connection.run(statement, []);
    if (result.rows[0]?.['busy'] === 0) return [result];
    return { code: 'overloaded', message: 'The log of the database is being read; try again.' };
  } finally {
    connection.run(`PRAGMA busy_timeout = ${Math.trunc(busyTimeoutMs)}`, []);
  }
}
