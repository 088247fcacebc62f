import type { Duplex } from 'node:stream';
import type { DropEntry, DropPath, DropSession } from '../drops/drop-folders.js';
import { aboutCommands } from './about.js';
import type { Command, Commands } from './command.js';
import { parseCommandLine } from './command-line.js';
import { connectingCommands } from './connecting.js';
import { openControlChannel } from './control-channel.js';
import { writeTime } from './facts.js';
import { folderCommands } from './folders-commands.js';
import type { ControlLine } from './line-reader.js';
import { listingCommands } from './listing-commands.js';
import { logInCommands } from './log-in-commands.js';
import { pathOf } from './paths-commands.js';
import { protectionCommands } from './protection.js';
import { Refusal, replyToError } from './refusal.js';
import { type Reply, reply } from './reply.js';
import { showPath } from './resolve-path.js';
import { retrievingCommands } from './retrieving.js';
import { type FtpService, type FtpSession, forgetLogIn, startState } from './session.js';
import { settingCommands } from './settings-commands.js';
import { storingCommands } from './storing.js';
import { accessEnded, watchAccess } from './watch-access.js';

/** Of files that are there: RFC 959, 4.1.3, and RFC 3659. */
const fileCommands: Commands = {
  SIZE: { who: 'logged-in', argument: 'required', run: reportSize },
  MDTM: { who: 'logged-in', argument: 'required', run: reportTime },
  DELE: { who: 'logged-in', argument: 'required', run: remove },
  RNFR: { who: 'logged-in', argument: 'required', run: beginRename },
  RNTO: { who: 'logged-in', argument: 'required', run: finishRename },
};

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
}

export interface RunningSession {
  /** Ends it after the command that is under way, with these words. */
  stop(words: Reply): void;
  /** Cuts the transfer that is under way. */
  abortSession(): void;
  /** Resolves when it is over and holds nothing any more. */
  readonly over: Promise<void>;
}

/** Greets, and carries out one command after the other until the end. */
export function runSession(service: FtpService, start: SessionStart): RunningSession {
  const { control: controlLimits, logInTimeoutMs, idleTimeoutMs } = service.options.limits;
  const control = openControlChannel(start.stream, controlLimits);
  const { id, peerAddress, localAddress } = start;
  const sessionAbort = new AbortController();
  const state = startState();
  const session: FtpSession = {
    id,
    service,
    control,
    peerAddress,
    localAddress,
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
    await control.say(reply(220, 'Lynceus drop: images in, keywords written, sent on.'));
    while (!state.isOver) {
      const next = await control.nextLine(idleTimeoutMs);
      if (next.kind === 'closed') return;
      if (next.kind === 'stopped') return control.say(next.words);
      if (next.kind === 'idle') return control.say(reply(421, 'Nothing was asked for too long.'));
      const words = await runCommand(session, next);
      if (words) await control.say(words);
    }
  };
  const over = run().finally(() => {
    clearTimeout(logInTimer);
    stopWatching();
    forgetLogIn(session);
    control.close();
  });
  return { stop: (words) => control.stop(words), abortSession: () => sessionAbort.abort(), over };
}

/** Carries out one line, and answers what is left to say. Never throws. */
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
    const said = replyToError(error);
    if (said) return said;
    service.onEvent({ kind: 'failed', connection: id, error });
    return reply(451, 'Something went wrong here; try again.');
  }
}

function inRows(verbs: readonly string[]): string[] {
  const rows: string[] = [];
  for (let at = 0; at < verbs.length; at += 10) rows.push(verbs.slice(at, at + 10).join(' '));
  return rows;
}

async function findFile(session: FtpSession, argument: string, drop: DropSession): Promise<DropEntry> {
  const path = pathOf(session, argument);
  const found = await drop.folders.find(path);
  if (found?.kind !== 'file') throw new Refusal(550, `There is no file ${showPath(path)}.`);
  return found;
}

async function reportSize(session: FtpSession, argument: string, drop: DropSession): Promise<Reply> {
  return reply(213, String((await findFile(session, argument, drop)).sizeBytes));
}

async function reportTime(session: FtpSession, argument: string, drop: DropSession): Promise<Reply> {
  return reply(213, writeTime((await findFile(session, argument, drop)).modifiedMs));
}

async function remove(session: FtpSession, argument: string, drop: DropSession): Promise<Reply> {
  const path = pathOf(session, argument);
  await drop.folders.removeFile(path);
  return reply(250, `${showPath(path)} is removed.`);
}

async function beginRename(session: FtpSession, argument: string, drop: DropSession): Promise<Reply> {
  const path = pathOf(session, argument);
  if (!(await drop.folders.find(path))) throw new Refusal(550, `There is no ${showPath(path)}.`);
  session.state.renameFrom = path;
  return reply(350, 'Now its new name, by RNTO.');
}

async function finishRename(session: FtpSession, argument: string, drop: DropSession): Promise<Reply> {
  const { state } = session;
  const from: DropPath | null = state.renameFrom;
  state.renameFrom = null;
  if (!from) throw new Refusal(503, 'RNFR goes right before RNTO.');
  const to = pathOf(session, argument);
  await drop.folders.rename(from, to);
  return reply(250, `${showPath(from)} is ${showPath(to)} now.`);
}
