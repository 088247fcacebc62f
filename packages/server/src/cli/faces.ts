import { open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { firstAccount } from '../accounts/first-key.js';
import type { LeftOut } from '../faces/archive/export-perception.js';
import type { CommandContext } from './context.js';
import { addFacesImportCommand } from './faces-import.js';
import type { Terminal } from './install-progress.js';
import { withFaces } from './with-domain.js';

/** `faces …`: what goes into perceptions and out of them by the file. */
export function addFacesCommand(
  program: Command,
  context: CommandContext,
  terminal: Terminal = process.stderr,
): void {
  const faces = program.command('faces').description('perceptions: add images, export, import');
  addFacesExportCommand(faces, context);
  addFacesImportCommand(faces, context, terminal);
}

/** `faces export`. */
function addFacesExportCommand(faces: Command, context: CommandContext): void {
  faces
    .command('export')
    .description('export a perception with its people and images into one file, also while the service runs')
    .argument('<perception>', 'its number or UID')
    .argument('<file>', 'path of the new file; must not exist yet')
    .option('--account <name>', 'whose perception it is', firstAccount)
    .action((reference: string, file: string, { account }: { readonly account: string }) =>
      withFaces(context, account, async ({ faces: database, accountId }) => {
        const perception = await database.perceptions.find(accountId, reference);
        if (perception === null) throw new Error(`${reference} is not one of the perceptions of ${account}`);
        const target = resolve(context.cwd, file);
        const onLeftOut = (left: LeftOut) => context.note(describeLeftOut(left));
        await writeNewFile(target, database.exportPerception(accountId, perception, { onLeftOut }));
        context.print(`${file} holds "${perception.name}". There: faces import ${file}`);
        context.note('It contains images and embeddings of faces: protect it like the data folder.');
      }),
    );
}

function describeLeftOut({ notEmbedded, withoutImage }: LeftOut): string {
  const why = [
    ...(notEmbedded > 0 ? [`${notEmbedded} that the embedder in use has not described`] : []),
    ...(withoutImage > 0 ? [`${withoutImage} whose images are lost`] : []),
  ];
  return `Images that are not in it: ${why.join(', ')}.`;
}

/** Appears under its name when it is whole and on disk. */
async function writeNewFile(target: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  if (await stat(target).catch(() => undefined)) throw new Error(`${target} already exists`);
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
