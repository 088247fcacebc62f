import { realpath, stat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { defaultExiftoolOptions, startExiftool } from '../drops/keywords/exiftool.js';
import { reasonOf, tagFolder } from '../tagging/tag-folder.js';
import type { TagDeps } from '../tagging/tag-image.js';
import { fingerprintOf } from '../tagging/tag-settings.js';
import { undoFolder } from '../tagging/undo-folder.js';
import type { TagVerdict } from '../tagging/verdict.js';
import { type Folder, walkFolders } from '../tagging/walk-folders.js';
import { watchFolders } from '../tagging/watch-folders.js';
import { createWorkPlace } from '../tagging/work-place.js';
import { type CommandContext, settingsOf } from './context.js';
import type { Terminal } from './install-progress.js';
import { processesOf } from './open-runner.js';
import { withStopSignal } from './stop-signal.js';
import { addTagSettingsOptions, readTagSettings, type TagSettingsOptions } from './tag-options.js';
import { withRecogniser } from './tag-recogniser.js';
import { createTagView, type TagView } from './tag-view.js';
import { createTemporaryFolder } from './temporary-folder.js';

interface TagOptions extends TagSettingsOptions {
  readonly recursive?: boolean;
  readonly watch?: boolean;
  readonly lookEvery: number;
  readonly dryRun?: boolean;
  readonly again?: boolean;
  readonly undo?: boolean;
  readonly json?: boolean;
}

/** Images for each inference process: one is looked at while the next is read and the last is written. */
const inFlightPerProcess = 2;
/** A file that did not change for so long is complete. */
const settleMs = 2000;

/** `tag`: keywords into the images of a folder of this machine, with or without a service. */
export function addTagCommand(
  program: Command,
  context: CommandContext,
  terminal: Terminal = process.stderr,
): void {
  const command = program
    .command('tag')
    .description('write keywords into the images of a folder, in place, and undo it')
    .argument('<folder>', 'images, and raw files with their sidecars')
    .option('-r, --recursive', 'also the folders in it')
    .option('--watch', 'stay, and tag what arrives')
    .option('--look-every <seconds>', 'with --watch: between two looks at all files', parseSeconds, 60)
    .option('-n, --dry-run', 'write nothing; print what would be written')
    .option('--again', 'also images that were done with the same settings')
    .option('--undo', 'give every image its former bytes')
    .option('--json', 'one line of JSON an image');
  addTagSettingsOptions(command).action(async (folder: string, options: TagOptions) => {
    if (options.watch && (options.undo || options.dryRun || options.again)) {
      throw new Error('--watch goes with none of --undo, --dry-run and --again');
    }
    const root = await findFolder(folder, context);
    await (options.undo ? undo(root, options, context, terminal) : tag(root, options, context, terminal));
  });
}

async function tag(
  root: string,
  options: TagOptions,
  context: CommandContext,
  terminal: Terminal,
): Promise<void> {
  const { settings } = settingsOf(context);
  const wanted = await readTagSettings(options, settings, context);
  const { perception, account } = options;
  const temporary = await createTemporaryFolder('tag');
  const exiftool = startExiftool(defaultExiftoolOptions);
  try {
    await exiftool.checkAvailable();
    await withRecogniser(
      context,
      { settings: wanted, account, ...(perception === undefined ? {} : { perception }) },
      async (recognise) => {
        const deps: TagDeps = {
          ...{ exiftool, recognise, settings: wanted, settleMs },
          fingerprint: fingerprintOf(wanted, perception === undefined ? null : `${account}/${perception}`),
          maxFileBytes: settings.dropMaxFileBytes,
          workPlace: createWorkPlace(temporary.dir),
          isAgain: options.again ?? false,
          isTrial: options.dryRun ?? false,
          isWatching: options.watch ?? false,
        };
        const inFlight = inFlightPerProcess * processesOf(settings);
        await (options.watch ? watchOver : tagOnce)(root, { deps, inFlight, options, context, terminal });
      },
    );
  } finally {
    await exiftool.close();
    await temporary.remove();
  }
}

interface Tagging {
  readonly deps: TagDeps;
  readonly inFlight: number;
  readonly options: TagOptions;
  readonly context: CommandContext;
  readonly terminal: Terminal;
}

async function tagOnce(root: string, { deps, inFlight, options, context, terminal }: Tagging): Promise<void> {
  const view = await openView(root, options, context, terminal);
  try {
    await withStopSignal('Stopped. What was written stays; run it again to continue.', async (signal) => {
      noteStop(signal, context);
      for await (const folder of walk(root, options, context, view)) {
        if (signal.aborted) break;
        const onVerdict = view.showTagged;
        await tagFolder(deps, folder, { inFlight, signal, onVerdict, onFile: view.countFile });
      }
      signal.throwIfAborted();
    });
  } finally {
    view.close();
  }
  checkOutcome(view);
}

async function watchOver(
  root: string,
  { deps, inFlight, options, context, terminal }: Tagging,
): Promise<void> {
  const view = createTagView({
    context,
    terminal,
    root,
    files: null,
    isJson: options.json ?? false,
    isTrial: false,
  });
  await withStopSignal('Stopped.', (signal) => {
    noteStop(signal, context);
    context.note('Waiting for images; press Ctrl-C to end it.');
    return watchFolders(root, {
      ...{ signal, settleMs, lookEveryMs: options.lookEvery * 1000, isRecursive: options.recursive ?? false },
      walk: (path) => walk(path, options, context, view),
      async onFolder(folder) {
        const unsettled: string[] = [];
        const onVerdict = (verdict: TagVerdict) => {
          view.showTagged(verdict);
          if (verdict.outcome === 'unsettled') unsettled.push(verdict.path.slice(folder.path.length + 1));
        };
        await tagFolder(deps, folder, { inFlight, signal, onVerdict });
        return unsettled;
      },
      onNoReports: (path, error) =>
        context.note(`${path}: new files are seen every ${options.lookEvery} seconds (${reasonOf(error)})`),
    });
  });
  view.close();
}

async function undo(
  root: string,
  options: TagOptions,
  context: CommandContext,
  terminal: Terminal,
): Promise<void> {
  const temporary = await createTemporaryFolder('tag');
  const isTrial = options.dryRun ?? false;
  const view = createTagView({
    context,
    terminal,
    root,
    files: null,
    isJson: options.json ?? false,
    isTrial,
  });
  try {
    await withStopSignal('Stopped. What was undone stays so; run it again to continue.', async (signal) => {
      const workPlace = createWorkPlace(temporary.dir);
      for await (const { path } of walk(root, options, context, view)) {
        await undoFolder(path, { workPlace, isTrial, signal, onVerdict: view.showUndone });
        signal.throwIfAborted();
      }
    });
  } finally {
    view.close();
    await temporary.remove();
  }
  checkOutcome(view);
}

/** The data folder has images of the service, which are no affair of this command. */
function walk(
  path: string,
  options: TagOptions,
  context: CommandContext,
  view: TagView,
): AsyncGenerator<Folder> {
  return walkFolders(path, {
    isRecursive: options.recursive ?? false,
    except: resolve(settingsOf(context).settings.dataDir),
    onUnreadable: (unreadable, error) =>
      view.showTagged({
        ...{ path: unreadable, outcome: 'failed', added: [], sidecar: null },
        reason: reasonOf(error),
      }),
  });
}

/** On a terminal the files are counted first, for the bar. */
async function openView(
  root: string,
  options: TagOptions,
  context: CommandContext,
  terminal: Terminal,
): Promise<TagView> {
  const shown = { context, terminal, root, isJson: options.json ?? false, isTrial: options.dryRun ?? false };
  if (!terminal.isTTY) return createTagView({ ...shown, files: null });
  let files = 0;
  const silent = createTagView({ ...shown, context: { print: () => undefined }, files: null });
  for await (const { names } of walk(root, options, context, silent)) files += names.length;
  return createTagView({ ...shown, files });
}

async function findFolder(name: string, context: CommandContext): Promise<string> {
  const path = resolve(context.cwd, name);
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) throw new Error(`There is no folder ${name}`);
  const real = await realpath(path);
  const dataDir = await realpath(settingsOf(context).settings.dataDir).catch(() => null);
  if (dataDir !== null && (real + sep).startsWith(dataDir + sep)) {
    throw new Error(`${name} is in the data folder of the service, whose images are not for this command`);
  }
  return real;
}

function noteStop(signal: AbortSignal, context: CommandContext): void {
  const onStop = () => context.note('Stopping after the current images; press again to stop at once.');
  signal.addEventListener('abort', onStop);
}

function checkOutcome({ failed }: TagView): void {
  if (failed > 0) throw new Error(`${failed} failed; the lines above say why`);
}

function parseSeconds(text: string): number {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= 1)) throw new InvalidArgumentError('Give a whole number of seconds, 1 at least.');
  return value;
}
