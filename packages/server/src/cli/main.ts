import { Command, CommanderError } from 'commander';
import { addAccountsCommand } from './accounts.js';
import { addBackupCommands } from './backup.js';
import { addConfigCommand } from './config.js';
import type { CommandContext } from './context.js';
import { addCustomCommand } from './custom.js';
import { addDatasetsCommand } from './datasets.js';
import { addDropsCommand } from './drops.js';
import { addFacesCommand } from './faces.js';
import { addKeysCommand } from './keys.js';
import { addModelsCommand } from './models.js';
import { addPredictCommand } from './predict.js';
import { addServeCommand } from './serve.js';

/**
 * Runs one command and answers the exit code: 0 when it did what was asked, 1 when it could not, 2 when it was asked
 * in a way that it does not understand.
 */
export async function runCommandLine(
  words: readonly string[],
  context: CommandContext = processContext(),
): Promise<number> {
  const program = new Command('lynceus')
    .description('Image recognition and face recognition on your own machine')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.print(text.trimEnd()),
      writeErr: (text) => context.note(text.trimEnd()),
    })
    .showSuggestionAfterError();
  addServeCommand(program, context);
  addPredictCommand(program, context);
  addKeysCommand(program, context);
  addAccountsCommand(program, context);
  addFacesCommand(program, context);
  addDatasetsCommand(program, context);
  addCustomCommand(program, context);
  addDropsCommand(program, context);
  addModelsCommand(program, context);
  addConfigCommand(program, context);
  addBackupCommands(program, context);

  try {
    await program.parseAsync([...words], { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    context.note(`lynceus: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  }
}

function processContext(): CommandContext {
  return {
    env: process.env,
    cwd: process.cwd(),
    print: (text) => process.stdout.write(`${text}\n`),
    note: (text) => process.stderr.write(`${text}\n`),
  };
}
