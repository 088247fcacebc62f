import { parentPort } from 'node:worker_threads';
import { type Batch, type Outcome, type Report, toFailure } from './messages.js';

interface BatchServer {
  run(batch: Batch): readonly Outcome[];
  close(): void;
}

/** The life of a database thread: open, answer batches one by one, close on `'close'`. */
export async function serveBatches(open: () => BatchServer | Promise<BatchServer>): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error('This file runs as a worker thread only.');
  const report = (message: Report) => port.postMessage(message);
  try {
    const server = await open();
    port.on('message', (message: Batch | 'close') => {
      if (message === 'close') {
        server.close();
        port.close();
        return;
      }
      report({ kind: 'done', outcomes: server.run(message) });
    });
    report({ kind: 'open' });
  } catch (error) {
    report({ kind: 'not-open', failure: toFailure(error) });
    port.close();
  }
}
