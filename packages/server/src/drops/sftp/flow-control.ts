import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { PacketReader } from './packet-reader.js';

/** The client is gone, or was disconnected because it takes no answers. */
export class ConnectionEnded extends Error {
  override readonly name = 'ConnectionEnded';
}

export interface FlowLimits {
  /** Received and not worked on: above it nothing more is read of the connection. */
  readonly maxInputBytes: number;
  /** Answers that the client has not taken: above it nothing more is worked on. */
  readonly maxOutputBytes: number;
  /** Without a byte of the answers being taken. */
  readonly replyTimeoutMs: number;
}

export type FlowControl = ReturnType<typeof createFlowControl>;

/** A client that ignores the window of SSH can fill it: more than this is an attack. */
const maxIgnoredWindowBytes = 8 * 1024 * 1024;
const pollMs = 100;

/**
 * Bounds the memory of one SSH connection, whose library reads whatever arrives, answers at once, and keeps back answers while keys
 * are exchanged.
 */
export function createFlowControl(socket: Socket, limits: FlowLimits) {
  const { maxInputBytes, maxOutputBytes, replyTimeoutMs } = limits;
  const readers = new Set<Pick<PacketReader, 'bufferedBytes'>>();
  const bytesBefore = socket.bytesWritten;
  let sentBytes = 0;
  let sending = 0;

  /** Not taken by the network yet, or kept back by the library; encryption only adds bytes. */
  const pendingBytes = (): number =>
    socket.writableLength + Math.max(sentBytes - (socket.bytesWritten - bytesBefore), 0);
  const takenBytes = (): number => socket.bytesWritten - socket.writableLength;

  const check = (): void => {
    if (socket.destroyed) return;
    let inputBytes = 0;
    for (const reader of readers) inputBytes += reader.bufferedBytes;
    if (inputBytes > maxIgnoredWindowBytes) {
      socket.destroy();
      return;
    }
    // A client that is to take answers has to be heard, since it grants the window for them.
    const isTooMuchIn = inputBytes > maxInputBytes && sending === 0;
    if (isTooMuchIn || socket.writableLength > maxOutputBytes) socket.pause();
    else if (socket.isPaused()) socket.resume();
  };
  socket.on('data', check).on('drain', check);

  const waitForProgress = (channel: Duplex, gone: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        socket.off('drain', done).off('close', done);
        channel.off('drain', done);
        gone.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, pollMs);
      socket.once('drain', done).once('close', done);
      channel.once('drain', done);
      gone.addEventListener('abort', done, { once: true });
    });

  return {
    /** Counts the input of a session; returns a function that ends it. */
    watch(reader: Pick<PacketReader, 'bufferedBytes'>): () => void {
      readers.add(reader);
      return () => readers.delete(reader);
    },
    /** After input was worked on. */
    check,
    /** Resolves when the client has taken most of all that was sent. Throws `ConnectionEnded`. */
    async send(channel: Duplex, bytes: Buffer, gone: AbortSignal) {
      if (gone.aborted || socket.destroyed) throw new ConnectionEnded('The client is gone.');
      channel.write(bytes);
      sentBytes += bytes.length;
      const isTaken = (): boolean => channel.writableLength === 0 && pendingBytes() <= maxOutputBytes;
      if (isTaken()) return;
      sending++;
      check();
      try {
        let taken = takenBytes();
        let since = performance.now();
        while (!isTaken()) {
          await waitForProgress(channel, gone);
          if (gone.aborted || socket.destroyed) throw new ConnectionEnded('The client is gone.');
          if (takenBytes() !== taken) {
            taken = takenBytes();
            since = performance.now();
          } else if (performance.now() - since > replyTimeoutMs) {
            socket.destroy();
            throw new ConnectionEnded('The client takes no answers.');
          }
        }
      } finally {
        sending--;
        check();
      }
    },
  };
}
