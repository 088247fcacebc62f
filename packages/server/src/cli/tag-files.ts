import { defaultExiftoolOptions, startExiftool } from '../drops/keywords/exiftool.js';
import { createFolderTagging } from '../tagging/folder-tagging.js';
import { reasonOf } from '../tagging/tag-folder.js';
import type { TagDeps } from '../tagging/tag-image.js';
import { fingerprintOf } from '../tagging/tag-settings.js';
import { undoFolder } from '../tagging/undo-folder.js';
import type { TagVerdict } from '../tagging/verdict.js';
import { watchFolders } from '../tagging/watch-folders.js';
import { createWorkPlace } from '../tagging/work-place.js';
import { type CommandContext, settingsOf } from './context.js';
import type { Terminal } from './install-progress.js';
import { processesOf } from './open-runner.js';
import { withStopSignal } from './stop-signal.js';
import { readTagSettings, type TagSettingsOptions } from './tag-options.js';
import { withRecogniser } from './tag-recogniser.js';
import { createTagView, type TagView } from './tag-view.js';
import { withoutRepeats } from './tag-view-repeats.js';
import { emptyText, showUnreadable, walkImages } from './tag-walk.js';
import { createTemporaryFolder, type TemporaryFolder } from './temporary-folder.js';

export interface TagOptions extends TagSettingsOptions {
  readonly recursive?: boolean;
  readonly watch?: boolean;
  readonly lookEvery: number;
  /** Seconds after which a file that did not change is complete. */
  readonly settle: number;
  readonly dryRun?: boolean;
  readonly again?: boolean;
  readonly undo?: boolean;
  readonly json?: boolean;
}

/** Images for each inference process: one is looked at while the next is read and the last is written. */
const inFlightPerProcess = 2;

/** Tags the images of a folder: those that are there, or with `--watch` those that arrive as well. */
export async function tagFiles(
  root: string,
  options: TagOptions,
  context: CommandContext,
  terminal: Terminal,
): Promise<void> {
  const { settings } = settingsOf(context);
  const wanted = await readTagSettings(options, settings, context);
  const { perception, account } = options;
  const temporary = temporaryWorkPlace();
  const exiftool = startExiftool(defaultExiftoolOptions);
  try {
    await exiftool.checkAvailable();
    await withRecogniser(
      context,
      { settings: wanted, account, ...(perception === undefined ? {} : { perception }) },
      async (recognise) => {
        const deps: TagDeps = {
          ...{ exiftool, recognise, settings: wanted, settleMs: options.settle * 1000 },
          fingerprint: fingerprintOf(wanted, perception === undefined ? null : `${account}/${perception}`),
          maxFileBytes: settings.dropMaxFileBytes,
          workPlace: temporary.workPlace,
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
  let folders = 0;
  try {
    await withStopSignal('Stopped. What was written stays; run it again to continue.', async (signal) => {
      noteStop(signal, context);
      const tagging = createFolderTagging(deps);
      try {
        for await (const folder of walkImages(root, options, context, view)) {
          if (signal.aborted) break;
          folders += folder.folders;
          const onVerdict = view.showTagged;
          await tagging.tag(folder, { inFlight, signal, onVerdict, onFile: view.countFile });
        }
      } finally {
        await tagging.end();
      }
      signal.throwIfAborted();
    });
  } finally {
    view.close(emptyText('no images', options, folders));
  }
  checkOutcome(view);
}

async function watchOver(
  root: string,
  { deps, inFlight, options, context, terminal }: Tagging,
): Promise<void> {
  const shown = { context, terminal, root, isJson: options.json ?? false, isTrial: false };
  const view = withoutRepeats(createTagView({ ...shown, files: null }));
  const tagging = createFolderTagging(deps);
  await withStopSignal('Stopped.', (signal) => {
    noteStop(signal, context);
    context.note('Waiting for images; press Ctrl-C to end it.');
    return watchFolders(root, {
      ...{
        signal,
        settleMs: deps.settleMs,
        lookEveryMs: options.lookEvery * 1000,
        isRecursive: options.recursive ?? false,
      },
      walk: (path) => walkImages(path, options, context, view),
      async onFolder(folder) {
        const unsettled: string[] = [];
        const onVerdict = (verdict: TagVerdict) => {
          view.showTagged(verdict);
          if (verdict.outcome === 'unsettled') unsettled.push(verdict.path.slice(folder.path.length + 1));
        };
        await tagging.tag(folder, { inFlight, signal, onVerdict });
        return unsettled;
      },
      onUnreadable: showUnreadable(view),
      onNoReports: (path, error) =>
        context.note(`${path}: new files are seen every ${options.lookEvery} seconds (${reasonOf(error)})`),
    }).finally(() => tagging.end());
  });
  view.close();
}

/** Gives the images of a folder their former bytes. */
export async function undoFiles(
  root: string,
  options: TagOptions,
  context: CommandContext,
  terminal: Terminal,
): Promise<void> {
  const temporary = temporaryWorkPlace();
  const isTrial = options.dryRun ?? false;
  const view = createTagView({
    context,
    terminal,
    root,
    files: null,
    isJson: options.json ?? false,
    isTrial,
  });
  let folders = 0;
  try {
    await withStopSignal('Stopped. What was undone stays so; run it again to continue.', async (signal) => {
      const { workPlace } = temporary;
      for await (const { path, folders: below } of walkImages(root, options, context, view)) {
        folders += below;
        await undoFolder(path, { workPlace, isTrial, signal, onVerdict: view.showUndone });
        signal.throwIfAborted();
      }
    });
  } finally {
    view.close(emptyText('nothing to undo', options, folders));
    await temporary.remove();
  }
  checkOutcome(view);
}

/** Its folder is made when it is needed: one that is there always would stay behind each command that is killed. */
function temporaryWorkPlace() {
  let made: Promise<TemporaryFolder> | undefined;
  const workPlace = createWorkPlace(async () => {
    made = createTemporaryFolder('tag');
    return (await made).dir;
  });
  return { workPlace, remove: async () => (await made)?.remove() };
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
  for await (const { names } of walkImages(root, options, context, silent)) files += names.length;
  return createTagView({ ...shown, files });
}

function noteStop(signal: AbortSignal, context: CommandContext): void {
  const onStop = () => context.note('Stopping after the current images; press again to stop at once.');
  signal.addEventListener('abort', onStop);
}

function checkOutcome({ failed }: TagView): void {
  if (failed > 0) throw new Error(`${failed} failed; the lines above say why`);
}
