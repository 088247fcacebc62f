import { createReadStream } from 'node:fs';
import type { CommandContext } from './context.js';
import type { Terminal } from './install-progress.js';
import { withStopSignal } from './stop-signal.js';
import { withFaces } from './with-faces.js';

/** Makes a perception of a file that `faces export` wrote. */
export function importArchive(
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
      if (reEmbedded > 0) context.note(`${reEmbedded} images were described anew by another model.`);
      if (leftOut > 0)
        context.note(
          `${leftOut} images were left out: the export was without them, or no face is found in them.`,
        );
    }),
  );
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
