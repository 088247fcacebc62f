import { Command, CommanderError } from 'commander';
import type { CommandContext } from './context.js';

type AddCommand = (program: Command, context: CommandContext) => void;

/** Commands by their first word, in the order of the help. Loaded when asked for: to load all of them takes a second. */
const commands: Readonly<Record<string, () => Promise<AddCommand>>> = {
  serve: async () => (await import('./serve.js')).addServeCommand,
  predict: async () => (await import('./predict.js')).addPredictCommand,
  keys: async () => (await import('./keys.js')).addKeysCommand,
  accounts: async () => (await import('./accounts.js')).addAccountsCommand,
  users: async () => (await import('./users.js')).addUsersCommand,
  faces: async () => (await import('./faces.js')).addFacesCommand,
  datasets: async () => (await import('./datasets.js')).addDatasetsCommand,
  custom: async () => (await import('./custom.js')).addCustomCommand,
  drops: async () => (await import('./drops.js')).addDropsCommand,
  models: async () => (await import('./models.js')).addModelsCommand,
  adopt: async () => (await import('./adopt.js')).addAdoptCommand,
  folders: async () => (await import('./folders.js')).addFoldersCommand,
  config: async () => (await import('./config.js')).addConfigCommand,
  'secret-key': async () => (await import('./secret-key.js')).addSecretKeyCommand,
  backup: async () => (await import('./backup.js')).addBackupCommand,
  restore: async () => (await import('./restore.js')).addRestoreCommand,
  verify: async () => (await import('./verify.js')).addVerifyCommand,
  orphans: async () => (await import('./orphans.js')).addOrphansCommand,
};

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
  const [word = ''] = words;
  // Without a command of that name, help and suggestions name them all.
  const wanted = Object.hasOwn(commands, word) ? [commands[word]] : Object.values(commands);
  for (const load of wanted) (await load?.())?.(program, context);

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
