import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import { TransferError } from './reply.js';
import { openTls } from './tls.js';

/**
 * What a data connection may hold while the disk is busy. The disk is written to in pieces of up to this size, while the next one
 * arrives: with 64 KiB instead a large file takes more than twice the time. Only who is logged in has data connections, one each.
 */
export const readAheadBytes = 1024 * 1024;

export interface DataConnection {
  readonly stream: Duplex;
  /** Whether the line below TLS is over, so that nothing more can come; in plain text always false. */
  isLineOver(): boolean;
  /** Whether the end of the stream proves the end of the file, as TLS's own close does. */
  readonly isEndProven: boolean;
  /** Called once, when the line below TLS is over. */
  onLineOver: () => void;
  /** After the end of the stream: throws `TransferError` when it was none, but a reset. */
  checkEnd(): Promise<void>;
  destroy(error?: Error): void;
}

/** How long a handshake may go on after its line is over. */
const lastBytesMs = 500;

/** In plain text the end of the stream is the end of the file. */
export function openPlainData(socket: Socket): DataConnection {
  return {
    stream: socket,
    isEndProven: false,
    isLineOver: () => false,
    onLineOver: () => undefined,
    checkEnd: () => checkNotReset(socket),
    destroy: (error) => socket.destroy(error),
  };
}

/**
 * In TLS the end of the file is TLS's own close, which nobody on the way can make up. Node ends a TLS stream also when the line
 * merely ends; so the end of the line is kept from it, and who reads waits a moment for TLS's own. Unless `needsCloseNotify`: then
 * any end will do that is no reset.
 */
export async function openSecureData(
  socket: Socket,
  context: SecureContext,
  { timeoutMs, needsCloseNotify }: { readonly timeoutMs: number; readonly needsCloseNotify: boolean },
): Promise<DataConnection> {
  let isOver = false;
  let lastBytesTimer: NodeJS.Timeout | undefined;
  // What it brought before it was over may still complete the handshake.
  let onOver = (): void => {
    lastBytesTimer = setTimeout(() => line.destroy(), lastBytesMs);
  };
  const over = (): void => {
    if (isOver) return;
    isOver = true;
    onOver();
  };
  socket.once('end', over).once('close', over);
  const line = new Duplex({
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
    if (!line.push(chunk)) socket.pause();
  });
  if (!needsCloseNotify) socket.once('end', () => line.push(null));
  const stream = await openTls(line, context, timeoutMs, readAheadBytes);
  clearTimeout(lastBytesTimer);
  if (!stream) {
    socket.destroy();
    throw new TransferError('not-opened', 'TLS did not begin on the data connection.');
  }
  const connection: DataConnection = {
    stream,
    isEndProven: needsCloseNotify,
    isLineOver: () => isOver,
    onLineOver: () => undefined,
    checkEnd: async () => (needsCloseNotify ? undefined : checkNotReset(socket)),
    destroy(error) {
      stream.destroy(error);
      socket.destroy();
    },
  };
  onOver = () => connection.onLineOver();
  return connection;
}

/**
 * libuv tells a reset that follows the last bytes closely as an end (`uv__stream_io`, on POLLHUP after a partial read). A
 * connection that was reset takes no writing any more, not even of nothing; one whose far side has ended does.
 */
function checkNotReset(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.write(Buffer.alloc(0), (cause) => {
      if (cause) reject(new TransferError('broken', 'The data connection broke.', { cause }));
      else resolve();
    });
  });
}
