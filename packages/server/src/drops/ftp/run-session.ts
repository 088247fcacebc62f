import type { Duplex } from 'node:stream';
import { connectingCommands } from './connection-commands.js';
import { openControlChannel } from './control-channel.js';
import { type ControlLine, parseCommandLine } from './control-lines.js';
import { fileCommands, folderCommands } from './file-commands.js';
import { listingCommands } from './listing-commands.js';
import { logInCommands, protectionCommands } from './log-in-commands.js';
import { type Reply, reply, replyToError } from './reply.js';
import {
  type Command,
  type Commands,
  type FtpService,
  type FtpSession,
  forgetLogIn,
  startState,
} from './session.js';
import { aboutCommands, settingCommands } from './settings-commands.js';
import { retrievingCommands, storingCommands } from './transfer-commands.js';

const families: readonly Commands[] = [
  logInCommands,
  protectionCommands,
  settingCommands,
  connectingCommands,
  storingCommands,
  retrievingCommands,
  listingCommands,
  folderCommands,
  fileCommands,
  aboutCommands,
];

const help: Command = {
  who: 'anyone',
  argument: 'optional',
  run: async () => reply(214, 'Commands:', ...inRows([...commands.keys()].sort()), 'See docs/ftp.md.'),
};

/** By verb. */
const commands: ReadonlyMap<string, Command> = new Map([
  ...families.flatMap((family) => Object.entries(family)),
  ['HELP', help] as const,
]);

export interface SessionStart {
  readonly id: number;
  readonly stream: Duplex;
  readonly peerAddress: string;
  readonly localAddress: string;
  readonly reachedAddress: string;
}

export interface RunningSession {
  /** Ends the session with this reply, after the running command. */
  stop(lastReply: Reply): void;
  /** Aborts the running transfer. */
  abortSession(): void;
  /** Resolves when the session has ended and released its resources. */
  readonly over: Promise<void>;
}

/** Sends the greeting and executes commands one after the other until the session ends. */
export function runSession(service: FtpService, start: SessionStart): RunningSession {
  const { control: controlLimits, logInTimeoutMs, idleTimeoutMs } = service.options.limits;
  const control = openControlChannel(start.stream, controlLimits);
  const { id, peerAddress, localAddress, reachedAddress } = start;
  const sessionAbort = new AbortController();
  const state = startState();
  const session: FtpSession = {
    id,
    service,
    control,
    peerAddress,
    localAddress,
    reachedAddress,
    sessionAbort: sessionAbort.signal,
    state,
  };
  const logInTimer = setTimeout(() => {
    if (state.logIn.at !== 'in') control.stop(reply(421, 'The log-in took too long.'));
  }, logInTimeoutMs);

  const stopWatching = watchAccess(session, service.options.limits.accessCheckMs, () => {
    control.stop(accessEnded);
    sessionAbort.abort();
  });

  const run = async (): Promise<void> => {
    await control.send(reply(220, 'Lynceus drop: images in, keywords written, sent on.'));
    while (!state.isOver) {
      const next = await control.nextLine(idleTimeoutMs);
      if (next.kind === 'closed') return;
      if (next.kind === 'stopped') return control.send(next.lastReply);
      if (next.kind === 'idle') return control.send(reply(421, 'Nothing was asked for too long.'));
      const answer = await runCommand(session, next);
      if (answer) await control.send(answer);
    }
  };
  const over = run().finally(() => {
    clearTimeout(logInTimer);
    stopWatching();
    forgetLogIn(session);
    control.close();
  });
  return { stop: (lastReply) => control.stop(lastReply), abortSession: () => sessionAbort.abort(), over };
}

/** Executes one line and returns the reply that remains to be sent. Never throws. */
async function runCommand(session: FtpSession, line: ControlLine): Promise<Reply | null> {
  if (line.kind === 'too-long') return reply(500, 'This line is too long.');
  const parsed = parseCommandLine(line.bytes);
  if (!parsed) return reply(500, 'This is no command.');
  const { verb, argument } = parsed;
  const { state, service, id } = session;
  // RFC 959: nothing may come between RNFR and RNTO.
  if (verb !== 'RNTO') state.renameFrom = null;
  const command = commands.get(verb);
  if (!command) return reply(502, 'This command is not known here.');
  if (command.argument === 'required' && argument === '') return reply(501, `${verb} needs an argument.`);
  try {
    if (command.who === 'anyone') return await command.run(session, argument);
    if (state.logIn.at !== 'in') return reply(530, 'Log in first.');
    const { drop } = state.logIn;
    if (!(await drop.isOpen())) {
      state.isOver = true;
      return accessEnded;
    }
    return await command.run(session, argument, drop);
  } catch (error) {
    const refusal = replyToError(error);
    if (refusal) return refusal;
    service.onEvent({ kind: 'failed', connection: id, error });
    return reply(451, 'Something went wrong here; try again.');
  }
}

function inRows(verbs: readonly string[]): string[] {
  const rows: string[] = [];
  for (let at = 0; at < verbs.length; at += 10) rows.push(verbs.slice(at, at + 10).join(' '));
  return rows;
}

/** For a session whose key no longer opens the drop. */
const accessEnded: Reply = reply(
  421,
  'The API key was revoked, or the drop deleted: log in with the new key.',
);

/**
 * Checks periodically that the session's key still opens the drop, and calls `end` when it does not: an upload can last for hours.
 * Each command checks as well. Returns a function that stops the checks.
 */
function watchAccess(session: FtpSession, intervalMs: number, end: () => void): () => void {
  const { state, service, id } = session;
  let isChecking = false;
  const check = async (): Promise<void> => {
    const { logIn } = state;
    if (logIn.at !== 'in' || (await logIn.drop.isOpen()) || state.logIn !== logIn) return;
    end();
  };
  const timer = setInterval(() => {
    if (isChecking) return;
    isChecking = true;
    check()
      .catch((error: unknown) => service.onEvent({ kind: 'failed', connection: id, error }))
      .finally(() => {
        isChecking = false;
      });
  }, intervalMs);
  return () => clearInterval(timer);
}
