import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import { TransferError } from './reply.js';
import { openTls } from './tls.js';

/**
 * Bytes that a data connection buffers while the disk is busy. Writes have up to this size, and the next chunk arrives meanwhile;
 * with 64 KiB a large file takes more than twice the time. Only logged-in sessions have data connections, one each.
 */
export const readAheadBytes = 1024 * 1024;

export interface DataConnection {
  readonly stream: Duplex;
  /** Whether the transport below TLS has ended, so that no more bytes can arrive; always false in plain text. */
  isTransportEnded(): boolean;
  /** Whether the end of the stream proves the end of the file, as TLS's close_notify does. */
  readonly isEndProven: boolean;
  /** Called once, when the transport below TLS has ended. */
  onTransportEnd: () => void;
  /** After the end of the stream: throws `TransferError` when the connection was reset. */
  checkEnd(): Promise<void>;
  destroy(error?: Error): void;
}

/** Time that a handshake may still take after its transport has ended. */
const lastBytesMs = 500;

/** In plain text the end of the stream is the end of the file. */
export function openPlainData(socket: Socket): DataConnection {
  return {
    stream: socket,
    isEndProven: false,
    isTransportEnded: () => false,
    onTransportEnd: () => undefined,
    checkEnd: () => checkNotReset(socket),
    destroy: (error) => socket.destroy(error),
  };
}

/**
 * With TLS the end of the file is close_notify, which an attacker on the path cannot forge. Node also ends a TLS stream when the
 * transport ends without it; therefore the transport's end is hidden from the stream, and the reader waits briefly for
 * close_notify. Without `needsCloseNotify`, any end that is no reset ends the file.
 */
export async function openSecureData(
  socket: Socket,
  context: SecureContext,
  { timeoutMs, needsCloseNotify }: { readonly timeoutMs: number; readonly needsCloseNotify: boolean },
): Promise<DataConnection> {
  let isEnded = false;
  let lastBytesTimer: NodeJS.Timeout | undefined;
  // Bytes received before the end may still complete the handshake.
  let onEnd = (): void => {
    lastBytesTimer = setTimeout(() => transport.destroy(), lastBytesMs);
  };
  const end = (): void => {
    if (isEnded) return;
    isEnded = true;
    onEnd();
  };
  socket.once('end', end).once('close', end);
  const transport = new Duplex({
    readableHighWaterMark: 64 * 1024,
    read: () => {
      socket.resume();
    },
    write: (chunk: Buffer, _encoding, done) => {
      socket.write(chunk, (error) => done(error));
    },
    final: (done) => {
      socket.end(done);
    },
    destroy: (error, done) => {
      socket.destroy();
      done(error);
    },
  });
  socket.on('data', (chunk) => {
    if (!transport.push(chunk)) socket.pause();
  });
  if (!needsCloseNotify) socket.once('end', () => transport.push(null));
  const stream = await openTls(transport, context, timeoutMs, readAheadBytes);
  clearTimeout(lastBytesTimer);
  if (!stream) {
    socket.destroy();
    throw new TransferError('not-opened', 'TLS did not begin on the data connection.');
  }
  const connection: DataConnection = {
    stream,
    isEndProven: needsCloseNotify,
    isTransportEnded: () => isEnded,
    onTransportEnd: () => undefined,
    checkEnd: async () => (needsCloseNotify ? undefined : checkNotReset(socket)),
    destroy(error) {
      stream.destroy(error);
      socket.destroy();
    },
  };
  onEnd = () => connection.onTransportEnd();
  return connection;
}

/**
 * libuv reports a reset that closely follows the last bytes as an end (`uv__stream_io`, on POLLHUP after a partial read). After a
 * reset every write fails, even an empty one; after the peer's normal end a write succeeds.
 */
function checkNotReset(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.write(Buffer.alloc(0), (cause) => {
      if (cause) reject(new TransferError('broken', 'The data connection broke.', { cause }));
      else resolve();
    });
  });
}
