import type { DropEntry, DropPath, DropSession } from '../drop-folders.js';
import { showPath } from '../servers/paths.js';
import { writeTime } from './listing.js';
import { pathOf } from './path-of.js';
import { Refusal, type Reply, reply } from './reply.js';
import type { Command, Commands, FtpSession } from './session.js';

/** Commands for existing files: RFC 959, 4.1.3, and RFC 3659. */
export const fileCommands: Commands = {
  SIZE: { who: 'logged-in', argument: 'required', run: reportSize },
  MDTM: { who: 'logged-in', argument: 'required', run: reportTime },
  DELE: { who: 'logged-in', argument: 'required', run: removeFile },
  RNFR: { who: 'logged-in', argument: 'required', run: beginRename },
  RNTO: { who: 'logged-in', argument: 'required', run: finishRename },
};

async function findFile(session: FtpSession, argument: string, drop: DropSession): Promise<DropEntry> {
  const path = pathOf(session, argument);
  const found = await drop.folders.find(path);
  if (found?.kind !== 'file') throw noFile(path);
  return found;
}

function noFile(path: DropPath): Refusal {
  return new Refusal(550, `There is no file ${showPath(path)}.`);
}

async function reportSize(session: FtpSession, argument: string, drop: DropSession): Promise<Reply> {
  const path = pathOf(session, argument);
  const found = await findSized(session, path, drop);
  if (found?.kind !== 'file') throw noFile(path);
  return reply(213, String(found.sizeBytes));
}

/** What is at a path, whose size the session is about to be given. */
export async function findSized(
  session: FtpSession,
  path: DropPath,
  drop: DropSession,
): Promise<DropEntry | null> {
  const { knownSizes } = session.state;
  knownSizes.add(path, 'unread');
  const found = await drop.folders.find(path);
  knownSizes.add(path, found?.sizeBytes ?? 0);
  return found;
}

async function reportTime(session: FtpSession, argument: string, drop: DropSession): Promise<Reply> {
  return reply(213, writeTime((await findFile(session, argument, drop)).modifiedMs));
}

async function removeFile(session: FtpSession, argument: string, drop: DropSession): Promise<Reply> {
  const path = pathOf(session, argument);
  session.state.knownSizes.clear();
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
  state.knownSizes.clear();
  await drop.folders.rename(from, to);
  return reply(250, `${showPath(from)} is ${showPath(to)} now.`);
}

const cwd: Command = { who: 'logged-in', argument: 'required', run: changeFolder };
const cdup: Command = {
  who: 'logged-in',
  argument: 'none',
  run: (session, _argument, drop) => changeFolder(session, '..', drop),
};
const mkd: Command = { who: 'logged-in', argument: 'required', run: createFolder };
const rmd: Command = { who: 'logged-in', argument: 'required', run: removeFolder };
const pwd: Command = {
  who: 'logged-in',
  argument: 'none',
  run: async ({ state }) => reply(257, `${quote(state.folder)} is the current folder.`),
};

/** Commands for folders, by their names in RFC 959 and in RFC 775, which old clients use. */
export const folderCommands: Commands = {
  CWD: cwd,
  XCWD: cwd,
  CDUP: cdup,
  XCUP: cdup,
  PWD: pwd,
  XPWD: pwd,
  MKD: mkd,
  XMKD: mkd,
  RMD: rmd,
  XRMD: rmd,
};

async function changeFolder(session: FtpSession, argument: string, { folders }: DropSession): Promise<Reply> {
  const path = pathOf(session, argument);
  const found = path.length === 0 ? { kind: 'folder' } : await folders.find(path);
  if (found?.kind !== 'folder') throw new Refusal(550, `There is no folder ${showPath(path)}.`);
  session.state.folder = path;
  return reply(250, `${quote(path)} is the current folder.`);
}

async function createFolder(session: FtpSession, argument: string, { folders }: DropSession): Promise<Reply> {
  const path = pathOf(session, argument);
  await folders.makeFolder(path);
  return reply(257, `${quote(path)} is made.`);
}

async function removeFolder(session: FtpSession, argument: string, { folders }: DropSession): Promise<Reply> {
  const path = pathOf(session, argument);
  await folders.removeFolder(path);
  return reply(250, `${quote(path)} is removed.`);
}

/** RFC 959, appendix II: quotation marks within are doubled. */
function quote(path: DropPath): string {
  return `"${showPath(path).replaceAll('"', '""')}"`;
}
