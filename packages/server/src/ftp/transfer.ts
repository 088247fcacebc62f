import { parseCommandLine } from './command-line.js';
import type { CopyOptions } from './copy-in.js';
import { type DataConnection, openPlainData, openSecureData } from './data-connection.js';
import type { ControlLine } from './line-reader.js';
import type { PendingData } from './pending-data.js';
import { Refusal } from './refusal.js';
import type { Reply } from './reply.js';
import { reply } from './reply.js';
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
