import type { DropEntry, DropPath, DropSession } from '../../drop-folders.js';
import { type Reply, reply } from '../control/reply.js';
import { writeTime } from '../listing/facts.js';
import { showPath } from '../paths/resolve-path.js';
import type { FtpSession } from '../session/session.js';
import type { Commands } from './command.js';
import { pathOf } from './paths.js';
import { Refusal } from './refusal.js';

/** Of files that are there: RFC 959, 4.1.3, and RFC 3659. */
export const fileCommands: Commands = {
  SIZE: { who: 'logged-in', argument: 'required', run: reportSize },
  MDTM: { who: 'logged-in', argument: 'required', run: reportTime },
  DELE: { who: 'logged-in', argument: 'required', run: remove },
  RNFR: { who: 'logged-in', argument: 'required', run: beginRename },
  RNTO: { who: 'logged-in', argument: 'required', run: finishRename },
};

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
