import { connect } from 'node:net';
import type { PendingData } from './pending-data.js';
import { TransferError } from './transfer-error.js';

/** A data connection that we make; the caller has seen to it that the address is the client's. */
export function connectActive(address: string, port: number): PendingData {
  return {
    discard: () => undefined,
    open: (timeoutMs, signal) =>
      new Promise((resolve, reject) => {
        const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
        const socket = connect({ host: address, port, allowHalfOpen: true, signal: limit });
        socket.on('error', (cause) => {
          socket.destroy();
          reject(
            signal.aborted
              ? new TransferError('aborted', 'The transfer was given up.')
              : new TransferError('not-opened', `Nothing answers at port ${port} of your address.`, {
                  cause,
                }),
          );
        });
        socket.once('connect', () => {
          socket.pause();
          resolve(socket);
        });
      }),
  };
}
