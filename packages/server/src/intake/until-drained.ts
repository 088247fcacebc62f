import type { Writable } from 'node:stream';

/** Resolves when a stream takes more again, or was closed. Leaves no listener: a large body waits a hundred thousand times. */
export function untilDrained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.on('drain', done).on('close', done);
  });
}
