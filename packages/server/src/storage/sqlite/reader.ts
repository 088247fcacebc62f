import { workerData } from 'node:worker_threads';
import { openConnection } from './connection.js';
import { toFailure } from './messages.js';
import { serveBatches } from './serve-batches.js';
import type { ThreadData } from './thread-data.js';

const { path, busyTimeoutMs }: ThreadData = workerData;

await serveBatches(() => {
  const connection = openConnection(path, { access: 'read', wal: true, busyTimeoutMs });
  return {
    run: (batch) =>
      batch.map((unit) => {
        try {
          return unit.map(([sql, parameters]) => connection.run(sql, parameters));
        } catch (error) {
          return toFailure(error);
        }
      }),
    close() {
      connection.close();
    },
  };
});
