import type { IncomingMessage } from 'node:http';

/** A client that was refused may go on sending for this long and this much before its connection is cut. */
const maxDrainBytes = 64 * 1024 * 1024;
const maxDrainMs = 10_000;

/**
 * Reads the rest of a refused body and throws it away. Many clients look for an answer only when they have sent
 * everything, and a connection closed before that loses the answer.
 */
export function drainBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  let rest = maxDrainBytes;
  // Once it is answered, Node does not tell the request that its connection was cut: the timer must not hold the end up.
  const timer = setTimeout(() => request.destroy(), maxDrainMs).unref();
  request.on('data', (chunk: Buffer) => {
    rest -= chunk.byteLength;
    if (rest < 0) request.destroy();
  });
  request.on('error', () => undefined);
  request.on('close', () => clearTimeout(timer));
  request.resume();
}
