import { Command, CommanderError, Help } from 'commander';
import { readOwnVersion } from '../service/installation/own-version.js';
import type { CommandContext } from './context.js';
import { addDataOption, readDataOption } from './data-option.js';
import { explainFailure } from './explain-failure.js';

type AddCommand = (program: Command, context: CommandContext) => void;

interface CommandEntry {
  readonly summary: string;
  /** What the list of commands shows after the name. */
  readonly usage?: string;
  /** Whether it writes in the data folder, and makes one where there is none. */
  readonly worksOnData?: true;
  load(): Promise<AddCommand>;
}

/**
 * Commands by their first word, in the order of the help. The list is printed from here, since loading all of them takes a second.
 */
const commands: Readonly<Record<string, CommandEntry>> = {
  serve: {
    summary: 'run the service until it is stopped',
    load: async () => (await import('./serve.js')).addServeCommand,
  },
  predict: {
    summary: 'recognise images: one, many, or those of folders',
    usage: '[options] [images...]',
    load: async () => (await import('./predict.js')).addPredictCommand,
  },
  tag: {
    summary: 'write keywords into the images of a folder, in place, and undo it',
    usage: '[options] <folder>',
    load: async () => (await import('./tag.js')).addTagCommand,
  },
  keys: {
    summary: 'API keys: create, list, revoke',
    worksOnData: true,
    load: async () => (await import('./keys.js')).addKeysCommand,
  },
  accounts: {
    summary: 'accounts: create, change, delete, list with their calls',
    worksOnData: true,
    load: async () => (await import('./accounts.js')).addAccountsCommand,
  },
  users: {
    summary: 'users of the web account',
    worksOnData: true,
    load: async () => (await import('./users.js')).addUsersCommand,
  },
  faces: {
    summary: 'perceptions: add images, export, import',
    worksOnData: true,
    load: async () => (await import('./faces.js')).addFacesCommand,
  },
  datasets: {
    summary: 'labelled images to train with',
    worksOnData: true,
    load: async () => (await import('./datasets.js')).addDatasetsCommand,
  },
  custom: {
    summary: "customers' models: train, upload, list, activate, export",
    worksOnData: true,
    load: async () => (await import('./custom.js')).addCustomCommand,
  },
  drops: {
    summary: 'drops: receive images by FTP and SFTP, write keywords, deliver them',
    worksOnData: true,
    load: async () => (await import('./drops.js')).addDropsCommand,
  },
  streams: {
    summary: 'streams: cameras and other live sources, and what was seen in them',
    worksOnData: true,
    load: async () => (await import('./streams.js')).addStreamsCommand,
  },
  videos: {
    summary: 'video files, and what is found in them',
    worksOnData: true,
    load: async () => (await import('./videos.js')).addVideosCommand,
  },
  models: {
    summary: 'models: list, install, verify, export, import',
    load: async () => (await import('./models.js')).addModelsCommand,
  },
  adopt: {
    summary: 'declare that the data folder and the database belong together; first shows its findings',
    usage: '[options]',
    worksOnData: true,
    load: async () => (await import('./adopt.js')).addAdoptCommand,
  },
  folders: {
    summary: 'data folders that belong to the database',
    worksOnData: true,
    load: async () => (await import('./folders.js')).addFoldersCommand,
  },
  replicas: {
    summary: 'list the services that run on the database, and which one leads',
    usage: '[options]',
    worksOnData: true,
    load: async () => (await import('./replicas.js')).addReplicasCommand,
  },
  config: {
    summary: 'show every setting: its value, where it came from, what it means',
    usage: '[options]',
    load: async () => (await import('./config.js')).addConfigCommand,
  },
  doctor: {
    summary: 'look at machine, settings, data, models and service, and say what is wrong; changes nothing',
    usage: '[options]',
    load: async () => (await import('./doctor.js')).addDoctorCommand,
  },
  'install-service': {
    summary: 'set up a service under systemd: user, folders, settings, unit; what is there stays',
    usage: '[options]',
    load: async () => (await import('./install-service.js')).addInstallServiceCommand,
  },
  'secret-key': {
    summary: 'the key that encrypts passwords and second factors in the database',
    worksOnData: true,
    load: async () => (await import('./secret-key.js')).addSecretKeyCommand,
  },
  backup: {
    summary:
      'copy the database to a new file, also while the service runs; with --with-files, all that belongs to it',
    usage: '[options] [file]',
    worksOnData: true,
    load: async () => (await import('./backup.js')).addBackupCommand,
  },
  restore: {
    summary: 'restore a backup; the service must be stopped',
    usage: '[options] [file]',
    worksOnData: true,
    load: async () => (await import('./restore.js')).addRestoreCommand,
  },
  verify: {
    summary: 'check every byte of an archive that backup --with-files wrote; changes nothing',
    usage: '[options] <file>',
    load: async () => (await import('./verify.js')).addVerifyCommand,
  },
  orphans: {
    summary: 'files that no row of the database names: quarantine, and sweeps that wait for a confirmation',
    worksOnData: true,
    load: async () => (await import('./orphans.js')).addOrphansCommand,
  },
  blobs: {
    summary: 'move images and models between the data folder and the bucket of LYNCEUS_BLOBS',
    worksOnData: true,
    load: async () => (await import('./blobs.js')).addBlobsCommand,
  },
};

/**
 * Runs one command and answers the exit code: 0 when it did what was asked, 1 when it could not, 2 when it was asked
 * in a way that it does not understand.
 */
export async function runCommandLine(
  words: readonly string[],
  given: CommandContext = processContext(),
): Promise<number> {
  const { rest, context } = readDataOption(words, given);
  const program = new Command('lynceus')
    .description('Image recognition and face recognition on your own machine')
    .version(readOwnVersion())
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.print(text.trimEnd()),
      writeErr: (text) => context.note(text.trimEnd()),
    })
    .showSuggestionAfterError();
  addDataOption(program);
  // The first word that may be one; `lynceus help keys` and `lynceus -- keys` ask for it as well.
  const asked = rest.find((word) => word !== 'help' && !word.startsWith('-'));
  program.hook('preAction', async () => {
    if (asked === undefined || !commands[asked]?.worksOnData) return;
    const { lookAtDataFolder } = await import('./look-at-data-folder.js');
    lookAtDataFolder(context);
  });
  const usages = new Map<Command, string>();
  for (const [name, { summary, usage, load }] of Object.entries(commands)) {
    if (name === asked) (await load())(program, context);
    else usages.set(program.command(name).description(summary), [name, usage].join(' ').trimEnd());
  }
  const { subcommandTerm } = new Help();
  program.configureHelp({ subcommandTerm: (command) => usages.get(command) ?? subcommandTerm(command) });

  try {
    await program.parseAsync([...words], { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    context.note(`lynceus: ${explainFailure(error)}`);
    return 1;
  }
}

export function processContext(): CommandContext {
  // Whoever reads a pipe may have seen enough, as `head` does. What the command does goes on.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  return {
    env: process.env,
    cwd: process.cwd(),
    print: (text) => process.stdout.write(`${text}\n`),
    note: (text) => process.stderr.write(`${text}\n`),
  };
}
