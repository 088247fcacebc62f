import { workerData } from 'node:worker_threads';
import { checkpoint, isCheckpoint } from './checkpoint.js';
import { commitBatch } from './commit-batch.js';
import { type Connection, openConnection } from './connection.js';
import { type Outcome, toFailure } from './messages.js';
import { serveBatches } from './serve-batches.js';
import type { ThreadData } from './thread-data.js';

const { path, busyTimeoutMs }: ThreadData = workerData;

const checkpointOutcome = (connection: Connection): Outcome => {
  try {
    return checkpoint(connection, busyTimeoutMs);
  } catch (error) {
    return toFailure(error);
  }
};

await serveBatches(() => {
  const connection = openConnection(path, { access: 'write', wal: true, busyTimeoutMs });
  return {
    run(batch) {
      const outcomes = commitBatch(
        connection,
        batch.filter((unit) => !isCheckpoint(unit)),
      ).values();
      return batch.map((unit) => {
        if (isCheckpoint(unit)) return checkpointOutcome(connection);
        return outcomes.next().value ?? [];
      });
    },
    close() {
      // A stopped service leaves one file that can be copied as it is.
      connection.run('PRAGMA busy_timeout = 0', []);
      connection.run('PRAGMA wal_checkpoint(TRUNCATE)', []);
      connection.close();
    },
  };
});
