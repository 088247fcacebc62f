import { setTimeout as wait, setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { DropPath, DropSession, UploadStart } from '../drops/drop-folders.js';
import { pathOf, showPath } from './paths.js';
import { type Reply, reply, TransferError } from './reply.js';
import type { Commands, FtpSession } from './session.js';
import { closeInTime, copyIn, copyOut, takePendingData, transfer } from './transfer.js';

/** Files in: RFC 959, 4.1.3. */
export const storingCommands: Commands = {
  STOR: { who: 'logged-in', argument: 'required', run: store },
  APPE: { who: 'logged-in', argument: 'required', run: append },
  STOU: { who: 'logged-in', argument: 'optional', run: storeUnique },
};

/**
 * In plain text the end of a file and the death of its client look alike, except that with the client its control connection ends
 * as well: so long it may take to be seen. Nothing has to be seen where the client said the size before (`ALLO`), and that is what came.
 */
const deathMs = 20;
/**
 * On a busy machine a timer can be over before the loop has looked at its sockets again: what has come by then is read in so many
 * turns, the last line that a client sent first, and its end after that.
 */
const closingTicks = 4;

async function store(session: FtpSession, argument: string, drop: DropSession): Promise<Reply> {
  const offsetBytes = session.state.restartBytes;
  const start: UploadStart = offsetBytes > 0 ? { at: 'offset', offsetBytes } : { at: 'begin' };
  return receive(session, drop, pathOf(session, argument), start);
}

async function append(session: FtpSession, argument: string, drop: DropSession): Promise<Reply> {
  return receive(session, drop, pathOf(session, argument), { at: 'end' });
}

async function storeUnique(session: FtpSession, argument: string, drop: DropSession): Promise<Reply> {
  return receive(session, drop, pathOf(session, argument || 'upload'), { at: 'begin', isUnique: true });
}

async function receive(
  session: FtpSession,
  drop: DropSession,
  path: DropPath,
  start: UploadStart,
): Promise<Reply> {
  const { service, id, state, control } = session;
  const { allocatedBytes } = state;
  state.restartBytes = 0;
  state.allocatedBytes = null;
  const pending = takePendingData(session);
  const upload = await drop.folders.receive(path, start).catch((error: unknown) => {
    pending.discard();
    throw error;
  });
  // RFC 1123, 4.1.2.9: the name that was chosen stands in this form.
  const opening = reply(150, `FILE: ${showPath(upload.path)}`);
  let sizeBytes = 0;
  const report = (kind: 'received' | 'cut', why?: string): void =>
    service.onEvent({
      kind,
      connection: id,
      accountId: drop.accountId,
      dropId: drop.dropId,
      path: upload.path,
      sizeBytes,
      ...(why !== undefined && { why }),
    });
  try {
    await transfer(session, pending, opening, async (connection, options) => {
      const onBytes = (count: number): void => {
        sizeBytes += count;
        options.onBytes(count);
      };
      await copyIn(connection, upload, { ...options, onBytes });
      closeInTime(connection);
      const isEndKnown = connection.isEndProven || (start.at === 'begin' && sizeBytes === allocatedBytes);
      // The disk works meanwhile.
      await Promise.all([upload.sync(), isEndKnown ? undefined : waitForDeath(control.gone)]);
      if (options.signal.aborted) throw new TransferError('aborted', 'The transfer was given up.');
    });
  } catch (error) {
    await upload.cut();
    report('cut', error instanceof Error ? error.message : 'unknown');
    throw error;
  }
  await upload.finish();
  report('received');
  return reply(226, 'Received, and on disk for good.');
}

async function waitForDeath(gone: AbortSignal): Promise<void> {
  await wait(deathMs, undefined, { signal: gone }).catch(() => undefined);
  for (let round = 0; round < closingTicks; round += 1) await yieldToEventLoop();
}

/** Files out, and the end of transfers that have ended. */
export const retrievingCommands: Commands = {
  RETR: { who: 'logged-in', argument: 'required', run: retrieve },
  ABOR: { who: 'logged-in', argument: 'none', run: abort },
};

async function retrieve(session: FtpSession, argument: string, drop: DropSession): Promise<Reply> {
  const { state } = session;
  const offsetBytes = state.restartBytes;
  state.restartBytes = 0;
  const path = pathOf(session, argument);
  const pending = takePendingData(session);
  const { sizeBytes, stream } = await drop.folders.read(path, offsetBytes).catch((error: unknown) => {
    pending.discard();
    throw error;
  });
  // Until it is read from, its errors would be nobody's.
  stream.on('error', () => undefined);
  try {
    const left = Math.max(sizeBytes - offsetBytes, 0);
    const opening = reply(150, `Sending ${showPath(path)} (${left} bytes).`);
    await transfer(session, pending, opening, (connection, options) => copyOut(connection, stream, options));
  } finally {
    stream.destroy();
  }
  return reply(226, 'Sent.');
}

/** A transfer that was under way saw it before and has said its 426. */
async function abort({ state }: FtpSession): Promise<Reply> {
  state.pendingData?.discard();
  state.pendingData = null;
  return reply(226, 'Nothing is under way any more.');
}
