import { createReadStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { firstAccount } from '../accounts/first-key.js';
import type { CommandContext } from './context.js';
import type { Terminal } from './install-progress.js';
import { withFaces } from './with-faces.js';

interface AccountOption {
  readonly account: string;
}

/** `faces …`: perceptions carried from one installation to another. */
export function addFacesCommand(
  program: Command,
  context: CommandContext,
  terminal: Terminal = process.stderr,
): void {
  const faces = program.command('faces').description('perceptions: carry them to another installation');
  const accountOption = ['--account <name>', 'whose perception it is', firstAccount] as const;

  faces
    .command('export')
    .description('write a perception with its people and pictures into one file, also while the service runs')
    .argument('<perception>', 'its number or UID')
    .argument('<file>', 'where to; it must not be there yet')
    .option(...accountOption)
    .action((reference: string, file: string, { account }: AccountOption) =>
      withFaces(context, account, async (database, accountId) => {
        const perception = await database.perceptions.find(accountId, reference);
        if (perception === null) throw new Error(`${reference} is not one of the perceptions of ${account}`);
        const target = resolve(context.cwd, file);
        await writeNewFile(target, database.exportPerception(accountId, perception));
        context.print(`${file} holds "${perception.name}". There: faces import ${file}`);
        context.note('It has pictures and descriptions of faces: keep it as you keep those.');
      }),
    );

  faces
    .command('import')
    .description('make a perception of a file that faces export wrote, also while the service runs')
    .argument('<file>')
    .option(...accountOption)
    .action((file: string, { account }: AccountOption) =>
      withFaces(context, account, async (database, accountId) => {
        const path = resolve(context.cwd, file);
        const found = await stat(path).catch(() => undefined);
        if (!found?.isFile()) throw new Error(`There is no file ${file}`);
        const stop = new AbortController();
        const onSignal = () => stop.abort(new Error('Stopped; nothing was imported.'));
        process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
        try {
          const { perception, people, images, describedAnew, leftOut } = await database.importPerception(
            accountId,
            createReadStream(path),
            { signal: stop.signal, onProgress: showCount(terminal) },
          );
          context.print(
            `Imported "${perception.name}" as ${perception.id}: ${people} people, ${images} images.`,
          );
          if (describedAnew > 0)
            context.note(`${describedAnew} images were described anew by another model.`);
          if (leftOut > 0) context.note(`${leftOut} images were left out: that model finds no face in them.`);
        } finally {
          process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
        }
      }),
    );
}

/** Appears under its name when it is whole and on disk. */
async function writeNewFile(target: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  if (await stat(target).catch(() => undefined)) throw new Error(`${target} is there already`);
  const unfinished = join(dirname(target), `.${basename(target)}.${process.pid}`);
  const file = await open(unfinished, 'wx', 0o600);
  try {
    for await (const piece of pieces) await file.writeFile(piece);
    await file.sync();
    await rename(unfinished, target);
  } finally {
    await file.close();
    await rm(unfinished, { force: true });
  }
}

const redrawMs = 100;

/** A line that is drawn again on a terminal; elsewhere one for every thousand images. */
function showCount(terminal: Terminal): (done: number, of: number) => void {
  let drawnMs = 0;
  return (done, of) => {
    const isLast = done === of;
    if (terminal.isTTY) {
      if (!isLast && Date.now() - drawnMs < redrawMs) return;
      drawnMs = Date.now();
      terminal.write(`\r\x1b[KImages ${done} of ${of}${isLast ? '\n' : ''}`);
    } else if (isLast || done % 1000 === 0) terminal.write(`images: ${done} of ${of}\n`);
  };
}
