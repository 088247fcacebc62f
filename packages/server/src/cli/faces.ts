import type { Command } from 'commander';
import type { CommandContext } from './context.js';
import { addFacesExportCommand } from './faces-export.js';
import { addFacesImportCommand } from './faces-import.js';
import type { Terminal } from './install-progress.js';

/** `faces …`: what goes into perceptions and out of them by the file. */
export function addFacesCommand(
  program: Command,
  context: CommandContext,
  terminal: Terminal = process.stderr,
): void {
  const faces = program
    .command('faces')
    .description('perceptions: fill them with images, carry them to another installation');
  addFacesExportCommand(faces, context);
  addFacesImportCommand(faces, context, terminal);
}
