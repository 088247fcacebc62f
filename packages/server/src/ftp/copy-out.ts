import { once } from 'node:events';
import type { CopyOptions } from './copy-in.js';
import type { DataConnection } from './data-connection.js';
import { TransferError, toTransferError } from './transfer-error.js';

/** A client that has read everything may take so long to close its side. */
const lingerMs = 2000;

/**
 * Writes chunks into a data connection and ends it; resolves when the network has taken all. Throws `TransferError`, and what the
 * source throws; the connection is then destroyed.
 */
export async function copyOut(
  connection: DataConnection,
  source: AsyncIterable<Uint8Array | string>,
  { stallMs, signal, onBytes }: CopyOptions,
): Promise<void> {
  const { stream } = connection;
  const onAbort = (): void => connection.destroy(new TransferError('aborted', 'The transfer was given up.'));
  // What a client sends here is of no interest, but its end has to be seen.
  stream.on('error', () => undefined).resume();
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  const within = async (event: 'drain' | 'finish'): Promise<void> => {
    const wait = new AbortController();
    const stalled = new TransferError('stalled', `Nothing was taken for ${stallMs / 1000} s.`);
    const timer = setTimeout(() => connection.destroy(stalled), stallMs);
    const happens = once(stream, event, { signal: wait.signal });
    const closes = once(stream, 'close', { signal: wait.signal });
    try {
      await Promise.race([happens, closes.then(() => checkOpen(connection, event))]);
    } catch (error) {
      throw toTransferError(error);
    } finally {
      clearTimeout(timer);
      wait.abort();
      happens.catch(() => undefined);
      closes.catch(() => undefined);
    }
  };
  try {
    for await (const chunk of source) {
      checkOpen(connection, 'drain');
      onBytes(chunk.length);
      if (!stream.write(chunk)) await within('drain');
    }
    checkOpen(connection, 'drain');
    stream.end();
    if (!stream.writableFinished) await within('finish');
    closeInTime(connection);
  } catch (error) {
    connection.destroy();
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function checkOpen({ stream }: DataConnection, awaited: 'drain' | 'finish'): void {
  if (awaited === 'finish' && stream.writableFinished) return;
  if (stream.destroyed) throw toTransferError(stream.errored);
}

/** Closing at once could reset the connection under bytes that are still on their way. */
export function closeInTime(connection: DataConnection): void {
  const { stream } = connection;
  stream.on('error', () => undefined).resume();
  stream.end();
  const timer = setTimeout(() => connection.destroy(), lingerMs);
  stream.once('close', () => clearTimeout(timer));
}
