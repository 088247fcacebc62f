import { workerData } from 'node:worker_threads';
import { commitBatch } from './commit-batch.js';
import { openConnection } from './connection.js';
import { serveBatches } from './serve-batches.js';
import type { ThreadData } from './thread-data.js';

const { path, busyTimeoutMs }: ThreadData = workerData;

await serveBatches(() => {
  const connection = openConnection(path, { access: 'write', wal: true, busyTimeoutMs });
  return {
    run: (batch) => commitBatch(connection, batch),
    close() {
      // A stopped service leaves one file that can be copied as it is.
      connection.run('PRAGMA busy_timeout = 0', []);
      connection.run('PRAGMA wal_checkpoint(TRUNCATE)', []);
      connection.close();
    },
  };
});
