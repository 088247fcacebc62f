import { once } from 'node:events';
import type { DropUpload } from '../drop-folders.js';
import { type ControlLine, parseCommandLine } from './control-lines.js';
import { type DataConnection, openPlainData, openSecureData } from './data-connection.js';
import type { PendingData } from './pending-data.js';
import { Refusal, type Reply, reply, TransferError, toTransferError } from './reply.js';
import type { FtpSession } from './session.js';

/** Takes the negotiated data connection out of the session. Throws `Refusal` when there is none, or TLS is required and missing. */
export function takePendingData({ state, service }: FtpSession): PendingData {
  const { pendingData } = state;
  state.pendingData = null;
  if (!pendingData) throw new Refusal(425, 'Use PASV or EPSV first.');
  if (service.options.requiresTls && !state.isDataPrivate) {
    pendingData.discard();
    throw new Refusal(521, 'TLS is required here for data too: send PBSZ 0 and PROT P.');
  }
  return pendingData;
}

/**
 * Sends the opening reply, waits for the data connection and runs the work on it. Meanwhile `ABOR` ends the transfer and `STAT` is
 * answered at once; other commands wait. The transfer also ends when the client disconnects or the session is aborted.
 */
export async function transfer(
  session: FtpSession,
  pending: PendingData,
  opening: Reply,
  work: (connection: DataConnection, options: CopyOptions) => Promise<void>,
): Promise<void> {
  const { control, service, state, sessionAbort } = session;
  const { limits, needsCloseNotify } = service.options;
  const { dataTimeoutMs, stallTimeoutMs } = limits;
  const abort = new AbortController();
  const signal = AbortSignal.any([abort.signal, control.gone, sessionAbort]);
  let bytes = 0;
  control.watch((line) => {
    const verb = verbOf(line);
    if (verb === 'ABOR') abort.abort();
    if (verb !== 'STAT') return false;
    void control.send(reply(213, `A transfer is under way: ${bytes} bytes so far.`));
    return true;
  });
  try {
    await control.send(opening);
    const socket = await pending.open(dataTimeoutMs, signal);
    const connection = state.isDataPrivate
      ? await openSecureData(socket, service.secureContext(), { timeoutMs: dataTimeoutMs, needsCloseNotify })
      : openPlainData(socket);
    const onBytes = (count: number): void => {
      bytes += count;
    };
    await work(connection, { stallMs: stallTimeoutMs, signal, onBytes });
  } finally {
    control.watch(null);
  }
}

function verbOf(line: ControlLine): string | null {
  if (line.kind !== 'line') return null;
  const command = parseCommandLine(line.bytes);
  // STAT of a path is a listing, which waits like other commands.
  return command && (command.verb !== 'STAT' || command.argument === '') ? command.verb : null;
}

/** Time for bytes to pass through TLS after its transport has ended. */
const lastBytesMs = 1000;

export interface CopyOptions {
  /** The transfer fails after this time without a byte. */
  readonly stallMs: number;
  readonly signal: AbortSignal;
  readonly onBytes: (count: number) => void;
}

/**
 * Reads a data connection to its end into an upload. Throws `TransferError` when it breaks or stalls, and the errors of the upload;
 * the connection is then destroyed. The caller finishes or cuts the upload.
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
  // The time limit covers waiting for the client; waiting for the disk is excluded.
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    let timer: NodeJS.Timeout | undefined;
    let isWaiting = true;
    const wait = (): void => {
      clearTimeout(timer);
      const isEnded = connection.isTransportEnded();
      const error = isEnded
        ? new TransferError('broken', 'The data connection ended without the close of TLS.')
        : new TransferError('stalled', `Nothing came for ${stallMs / 1000} s.`);
      timer = setTimeout(() => connection.destroy(error), isEnded ? lastBytesMs : stallMs);
    };
    connection.onTransportEnd = () => {
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

/** Time for a client that has read everything to close its side. */
const lingerMs = 2000;

/**
 * Writes chunks into a data connection and ends it; resolves when the operating system has accepted all bytes. Throws
 * `TransferError`, and the errors of the source; the connection is then destroyed.
 */
export async function copyOut(
  connection: DataConnection,
  source: AsyncIterable<Uint8Array | string>,
  { stallMs, signal, onBytes }: CopyOptions,
): Promise<void> {
  const { stream } = connection;
  const onAbort = (): void => connection.destroy(new TransferError('aborted', 'The transfer was given up.'));
  // Bytes that the client sends here are discarded; reading them detects its end.
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

/** Closes gracefully: an immediate close could reset the connection while bytes are still in flight. */
export function closeInTime(connection: DataConnection): void {
  const { stream } = connection;
  stream.on('error', () => undefined).resume();
  stream.end();
  const timer = setTimeout(() => connection.destroy(), lingerMs);
  stream.once('close', () => clearTimeout(timer));
}
