import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { firstAccount } from '../accounts/first-key.js';
import type { CommandContext } from './context.js';
import { type ImportImagesOptions, importImages } from './import-images.js';
import type { Terminal } from './install-progress.js';
import { withStopSignal } from './stop-signal.js';
import { withFaces } from './with-domain.js';

const redrawMs = 100;

/** `faces import`: what its argument is decides what is done with it. */
export function addFacesImportCommand(faces: Command, context: CommandContext, terminal: Terminal): void {
  faces
    .command('import')
    .description(
      'add images from folders named by person, in a folder or a zip; or create a perception from a file that faces export wrote. ' +
        'Also while the service runs',
    )
    .argument('<from>', 'a folder, a zip, or an exported file')
    .option('--into <perception>', 'for images: number or UID of the perception they are added to')
    .option('--new <name>', 'for images: create a perception of this name and add them to it')
    .option('--report <file>', 'for images: write one line of JSON per image to a new file')
    .option(
      '--accept-problems',
      'for images: add faces that are blurred, covered, or have uncertain eyes, nose and mouth too; they never make a match',
    )
    .option('--account <name>', 'whose perception it is', firstAccount)
    .action(async (from: string, options: ImportImagesOptions) => {
      const path = resolve(context.cwd, from);
      const kind = await kindOf(path, from);
      if (kind !== 'archive') return importImages({ from, path, kind }, options, context, terminal);
      const { into, new: name, report, acceptProblems } = options;
      if ([into, name, report, acceptProblems].some((option) => option !== undefined)) {
        throw new Error(
          `${from} is neither a folder nor a zip; --into, --new, --report and --accept-problems are for images, and an exported file becomes a perception of its own`,
        );
      }
      return importArchive(path, options.account, context, terminal);
    });
}

/** The first bytes of a zip: of its first entry, or of its end when it has none (APPNOTE.TXT 4.3). */
const zipBeginnings = ['PK\x03\x04', 'PK\x05\x06'];

async function kindOf(path: string, from: string): Promise<'folder' | 'zip' | 'archive'> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return 'folder';
  if (!found?.isFile()) throw new Error(`There is no file or folder ${from}`);
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return zipBeginnings.includes(buffer.toString('latin1', 0, bytesRead)) ? 'zip' : 'archive';
  } finally {
    await file.close();
  }
}

/** Makes a perception of a file that `faces export` wrote. */
function importArchive(
  path: string,
  account: string,
  context: CommandContext,
  terminal: Terminal,
): Promise<void> {
  return withFaces(context, account, ({ faces, accountId }) =>
    withStopSignal('Stopped; nothing was imported.', async (signal) => {
      const { perception, people, images, reEmbedded, leftOut } = await faces.importPerception(
        accountId,
        createReadStream(path),
        { signal, onProgress: showCount(terminal) },
      );
      context.print(`Imported "${perception.name}" as ${perception.id}: ${people} people, ${images} images.`);
      if (reEmbedded > 0) context.note(`${reEmbedded} images were embedded again by another model.`);
      if (leftOut > 0)
        context.note(
          `${leftOut} images were left out: the export was without them, or no face is found in them.`,
        );
    }),
  );
}

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
