import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { verifyArchive } from '../operate/backup/verify-archive.js';
import type { CommandContext } from './context.js';
import { describeArchive, describeLosses } from './describe-archive.js';

export function addVerifyCommand(program: Command, context: CommandContext): void {
  program
    .command('verify')
    .description('check every byte of an archive that backup --with-files wrote; changes nothing')
    .argument('<file>', 'the archive; - for the standard input')
    .option('--json', 'as JSON')
    .action(async (file: string, { json }: { readonly json?: true }) => {
      const summary = await verifyArchive(openArchive(context, file));
      if (json) {
        context.print(JSON.stringify(summary));
        return;
      }
      context.print(`${file} is complete.`);
      for (const line of [...describeArchive(summary), ...describeLosses(summary)]) context.print(line);
    });
}

/** The bytes of an archive that a command was given. */
export function openArchive(context: CommandContext, file: string): AsyncIterable<Uint8Array> {
  if (file === '-') return context.stdin ?? process.stdin;
  return readWhenAsked(resolve(context.cwd, file));
}

/** Not opened before it is read: an error of the file would come before its reader listens, and end the process. */
async function* readWhenAsked(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { highWaterMark: 1024 * 1024 });
}
