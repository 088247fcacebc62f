import type { Connection } from './connection.js';
import { type Batch, type Outcome, toFailure, type Unit } from './messages.js';

/**
 * Runs the units of many callers in one transaction, each in a savepoint of its own, and syncs once. A failing unit is
 * undone alone; when the transaction itself is lost (disk full, I/O error, failed commit) none of it happened and
 * every unit says so.
 */
export function commitBatch(connection: Connection, batch: Batch): readonly Outcome[] {
  if (batch.length === 0) return [];
  try {
    connection.run('BEGIN IMMEDIATE', []);
    const outcomes = batch.map((unit) => runUnit(connection, unit));
    connection.run('COMMIT', []);
    return outcomes;
  } catch (error) {
    rollBack(connection);
    const failure = toFailure(error);
    return batch.map(() => failure);
  }
}

function runUnit(connection: Connection, unit: Unit): Outcome {
  connection.run('SAVEPOINT unit', []);
  try {
    const results = unit.map(([sql, parameters]) => connection.run(sql, parameters));
    connection.run('RELEASE unit', []);
    return results;
  } catch (error) {
    // Some errors end the transaction by themselves; then no unit of the batch can be saved.
    if (!connection.inTransaction()) throw error;
    connection.run('ROLLBACK TO unit', []);
    connection.run('RELEASE unit', []);
    return toFailure(error);
  }
}

function rollBack(connection: Connection): void {
  try {
    if (connection.inTransaction()) connection.run('ROLLBACK', []);
  } catch {
    // The next BEGIN tells what is wrong.
  }
}
