import type { DropUpload } from '../drops/drop-folders.js';
import type { DataConnection } from './data-connection.js';
import { TransferError, toTransferError } from './transfer-error.js';

/** After the line below TLS is over, what it brought is on its way through TLS for no longer than this. */
const lastBytesMs = 1000;

export interface CopyOptions {
  /** Without a byte for so long, the transfer is given up. */
  readonly stallMs: number;
  readonly signal: AbortSignal;
  readonly onBytes: (count: number) => void;
}

/**
 * Reads a data connection to its proper end into an upload. Throws `TransferError` when there is no proper end, and what the upload
 * throws; the connection is then destroyed. Neither finishes the upload nor cuts it.
 */
export async function copyIn(
  connection: DataConnection,
  upload: Pick<DropUpload, 'write'>,
  { stallMs, signal, onBytes }: CopyOptions,
): Promise<void> {
  const onAbort = (): void => connection.destroy(new TransferError('aborted', 'The transfer was given up.'));
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  const chunks = connection.stream.iterator({ destroyOnReturn: false });
  // Only the wait for the client counts, not that for the disk.
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    let timer: NodeJS.Timeout | undefined;
    let isWaiting = true;
    const wait = (): void => {
      clearTimeout(timer);
      const isOver = connection.isLineOver();
      const error = isOver
        ? new TransferError('broken', 'The data connection ended without the close of TLS.')
        : new TransferError('stalled', `Nothing came for ${stallMs / 1000} s.`);
      timer = setTimeout(() => connection.destroy(error), isOver ? lastBytesMs : stallMs);
    };
    connection.onLineOver = () => {
      if (isWaiting) wait();
    };
    wait();
    try {
      return await chunks.next();
    } catch (error) {
      throw toTransferError(error);
    } finally {
      isWaiting = false;
      clearTimeout(timer);
    }
  };
  try {
    for (let read = await next(); !read.done; read = await next()) {
      onBytes(read.value.length);
      await upload.write(read.value);
    }
    await connection.checkEnd();
    if (signal.aborted) throw new TransferError('aborted', 'The transfer was given up.');
  } catch (error) {
    connection.destroy();
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
