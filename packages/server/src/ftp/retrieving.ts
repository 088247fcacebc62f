import type { DropSession } from '../drops/drop-folders.js';
import type { Commands } from './command.js';
import { copyOut } from './copy-out.js';
import { pathOf } from './paths-commands.js';
import { type Reply, reply } from './reply.js';
import { showPath } from './resolve-path.js';
import type { FtpSession } from './session.js';
import { takePendingData, transfer } from './transfer.js';

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
