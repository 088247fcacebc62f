import { realpath, stat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type CommandContext, settingsOf } from './context.js';
import type { Terminal } from './install-progress.js';
import { type TagOptions, tagFiles, undoFiles } from './tag-files.js';
import { addTagSettingsOptions } from './tag-options.js';

/** `tag`: keywords into the images of a folder of this machine, with or without a service. */
export function addTagCommand(
  program: Command,
  context: CommandContext,
  terminal: Terminal = process.stderr,
): void {
  const command = program
    .command('tag')
    .description('write keywords into the images of a folder, in place, and undo it')
    .argument('<folder>', 'images, and raw files with their sidecars')
    .option('-r, --recursive', 'also the folders in it')
    .addOption(new Option('--watch', 'stay, and tag what arrives').conflicts(['undo', 'dryRun', 'again']))
    .option('--look-every <seconds>', 'with --watch: between two looks at all files', parseSeconds, 60)
    .option('--settle <seconds>', 'how long a file has not changed before it is tagged', parseSeconds, 5)
    .option('-n, --dry-run', 'write nothing; print what would be written')
    .option('--again', 'also images that were done with the same settings')
    .option('--undo', 'give every image its former bytes')
    .option('--json', 'one line of JSON an image');
  addTagSettingsOptions(command).action(async (folder: string, options: TagOptions) => {
    const root = await findFolder(folder, context);
    await (options.undo ? undoFiles : tagFiles)(root, options, context, terminal);
  });
}

async function findFolder(name: string, context: CommandContext): Promise<string> {
  const path = resolve(context.cwd, name);
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) throw new Error(`There is no folder ${name}`);
  const real = await realpath(path);
  const dataDir = await realpath(settingsOf(context).settings.dataDir).catch(() => null);
  if (dataDir !== null && (real + sep).startsWith(dataDir + sep)) {
    throw new Error(`${name} is in the data folder of the service, whose images are not for this command`);
  }
  return real;
}

function parseSeconds(text: string): number {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= 1)) throw new InvalidArgumentError('Give a whole number of seconds, 1 at least.');
  return value;
}
