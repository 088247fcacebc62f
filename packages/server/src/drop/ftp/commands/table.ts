import { reply } from '../control/reply.js';
import { aboutCommands } from './about.js';
import type { Command, Commands } from './command.js';
import { connectingCommands } from './connecting.js';
import { fileCommands } from './files.js';
import { folderCommands } from './folders.js';
import { listingCommands } from './listing.js';
import { logInCommands } from './log-in.js';
import { protectionCommands } from './protection.js';
import { retrievingCommands } from './retrieving.js';
import { settingCommands } from './settings.js';
import { storingCommands } from './storing.js';

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
  run: async () => reply(214, 'Commands:', ...inRows([...commands.keys()].sort()), 'docs/ftp.md tells more.'),
};

/** By verb. */
export const commands: ReadonlyMap<string, Command> = new Map([
  ...families.flatMap((family) => Object.entries(family)),
  ['HELP', help] as const,
]);

function inRows(verbs: readonly string[]): string[] {
  const rows: string[] = [];
  for (let at = 0; at < verbs.length; at += 10) rows.push(verbs.slice(at, at + 10).join(' '));
  return rows;
}
