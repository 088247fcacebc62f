import type { DropPath, DropSession } from '../drops/drop-folders.js';
import type { Command, Commands } from './command.js';
import { pathOf } from './paths-commands.js';
import { Refusal } from './refusal.js';
import { type Reply, reply } from './reply.js';
import { showPath } from './resolve-path.js';
import type { FtpSession } from './session.js';

const changeFolder: Command = { who: 'logged-in', argument: 'required', run: goInto };
const changeUp: Command = {
  who: 'logged-in',
  argument: 'none',
  run: (session, _argument, drop) => goInto(session, '..', drop),
};
const makeFolder: Command = { who: 'logged-in', argument: 'required', run: make };
const removeFolder: Command = { who: 'logged-in', argument: 'required', run: remove };
const reportFolder: Command = {
  who: 'logged-in',
  argument: 'none',
  run: async ({ state }) => reply(257, `${quote(state.folder)} is the current folder.`),
};

/** Of folders, under their names of RFC 959 and those of RFC 775, which old clients use. */
export const folderCommands: Commands = {
  CWD: changeFolder,
  XCWD: changeFolder,
  CDUP: changeUp,
  XCUP: changeUp,
  PWD: reportFolder,
  XPWD: reportFolder,
  MKD: makeFolder,
  XMKD: makeFolder,
  RMD: removeFolder,
  XRMD: removeFolder,
};

async function goInto(session: FtpSession, argument: string, { folders }: DropSession): Promise<Reply> {
  const path = pathOf(session, argument);
  const found = path.length === 0 ? { kind: 'folder' } : await folders.find(path);
  if (found?.kind !== 'folder') throw new Refusal(550, `There is no folder ${showPath(path)}.`);
  session.state.folder = path;
  return reply(250, `${quote(path)} is the current folder.`);
}

async function make(session: FtpSession, argument: string, { folders }: DropSession): Promise<Reply> {
  const path = pathOf(session, argument);
  await folders.makeFolder(path);
  return reply(257, `${quote(path)} is made.`);
}

async function remove(session: FtpSession, argument: string, { folders }: DropSession): Promise<Reply> {
  const path = pathOf(session, argument);
  await folders.removeFolder(path);
  return reply(250, `${quote(path)} is removed.`);
}

/** RFC 959, appendix II: a quote within is doubled. */
function quote(path: DropPath): string {
  return `"${showPath(path).replaceAll('"', '""')}"`;
}
