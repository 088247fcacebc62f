import { setTimeout as wait, setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { DropPath, DropSession, UploadStart } from '../drop-folders.js';
import { showPath } from '../servers/paths.js';
import { pathOf } from './path-of.js';
import { Refusal, type Reply, reply, TransferError } from './reply.js';
import type { Commands, FtpSession } from './session.js';
import { closeInTime, copyIn, copyOut, takePendingData, transfer } from './transfer.js';

/** Uploads: RFC 959, 4.1.3. */
export const storingCommands: Commands = {
  STOR: { who: 'logged-in', argument: 'required', run: store },
  APPE: { who: 'logged-in', argument: 'required', run: append },
  STOU: { who: 'logged-in', argument: 'optional', run: storeUnique },
};

/**
 * In plain text, the end of a file and a crash of the client look alike on the data connection; after a crash the control
 * connection ends as well, within this time. No wait is needed when the client announced the size (`ALLO`) and exactly that
 * arrived.
 */
const disconnectWaitMs = 20;
/**
 * On a busy machine a timer can expire before the event loop has polled its sockets. This many iterations read what has arrived by
 * then: first the client's last line, then its end.
 */
const disconnectPolls = 4;

async function store(session: FtpSession, argument: string, drop: DropSession): Promise<Reply> {
  const offsetBytes = session.state.restartBytes;
  const path = pathOf(session, argument);
  session.state.knownSizes.take(path);
  const start: UploadStart = offsetBytes > 0 ? { at: 'offset', offsetBytes } : { at: 'begin' };
  return receive(session, drop, path, start);
}

async function append(session: FtpSession, argument: string, drop: DropSession): Promise<Reply> {
  const path = pathOf(session, argument);
  const { knownSizes } = session.state;
  const knownBytes = knownSizes.take(path);
  if (knownBytes === 'unread') {
    knownSizes.add(path, knownBytes);
    throw new Refusal(
      450,
      'The size of the file could not be read when it was asked for. Ask SIZE again, or send the whole file by STOR.',
    );
  }
  return receive(session, drop, path, { at: 'end', ...(knownBytes !== undefined && { knownBytes }) });
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
  // RFC 1123, 4.1.2.9 prescribes this form for the chosen name.
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
      if (start.at === 'begin' && allocatedBytes !== null && sizeBytes < allocatedBytes) {
        throw new TransferError(
          'broken',
          `Of the ${allocatedBytes} bytes that ALLO announced, ${sizeBytes} arrived. Send the rest (REST, APPE) or all of it.`,
        );
      }
      const isEndKnown = connection.isEndProven || (start.at === 'begin' && sizeBytes === allocatedBytes);
      // The sync runs during the wait.
      await Promise.all([upload.sync(), isEndKnown ? undefined : waitForDisconnect(control.gone)]);
      if (options.signal.aborted) throw new TransferError('aborted', 'The transfer was given up.');
    });
  } catch (error) {
    await upload.cut();
    report('cut', error instanceof Error ? error.message : 'unknown');
    throw error;
  }
  await upload.finish();
  report('received');
  const advice = upload.isHeld ? ` ${heldAdvice}` : '';
  return reply(226, `Received, and on disk for good.${advice}`);
}

const heldAdvice =
  'Its name is one of incomplete files: it is processed when it is renamed, or after an hour under this name.';

async function waitForDisconnect(gone: AbortSignal): Promise<void> {
  await wait(disconnectWaitMs, undefined, { signal: gone }).catch(() => undefined);
  for (let round = 0; round < disconnectPolls; round += 1) await yieldToEventLoop();
}

/** Downloads, and ABOR. */
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
  // Nothing else handles its errors until it is read.
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

/** A running transfer has seen the ABOR already and sent its 426. */
async function abort({ state }: FtpSession): Promise<Reply> {
  state.pendingData?.discard();
  state.pendingData = null;
  return reply(226, 'Nothing is under way any more.');
}
