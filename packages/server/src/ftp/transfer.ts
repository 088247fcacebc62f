import { once } from 'node:events';
import type { DropUpload } from '../drops/drop-folders.js';
import { type ControlLine, parseCommandLine } from './control-lines.js';
import { type DataConnection, openPlainData, openSecureData } from './data-connection.js';
import type { PendingData } from './pending-data.js';
import { Refusal, type Reply, reply, TransferError, toTransferError } from './reply.js';
import type { FtpSession } from './session.js';

/** The data connection that was agreed upon; it is nobody else's then. Throws a refusal when there is none, or it may not be. */
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
 * Says the opening words, waits for the data connection and does the work on it. Meanwhile `ABOR` ends it and `STAT` is answered at
 * once; it also ends when the client leaves, or transfers are given up. Other commands wait.
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
    void control.say(reply(213, `A transfer is under way: ${bytes} bytes so far.`));
    return true;
  });
  try {
    await control.say(opening);
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
  // STAT of a path is a listing, which waits like others.
  return command && (command.verb !== 'STAT' || command.argument === '') ? command.verb : null;
}

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
