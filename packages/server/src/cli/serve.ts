import type { Command } from 'commander';
import { serve } from '../main.js';
import type { CommandContext } from './context.js';

export function addServeCommand(program: Command, context: CommandContext): void {
  program
    .command('serve')
    .description('run the service until it is stopped')
    .action(async () => {
      await serve(context);
    });
}
