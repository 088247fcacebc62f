import { createWriteStream } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { toName } from '../accounts/names.js';
import { createEnrolImage } from '../faces/bulk/enrol-image.js';
import { enrolTree } from '../faces/bulk/enrol-tree.js';
import { imagesInFolder, imagesInZip } from '../faces/bulk/image-tree.js';
import type { ImageVerdict } from '../faces/bulk/verdict.js';
import { findWhoseFolders } from '../faces/bulk/whose-folders.js';
import { embedderOf } from '../faces/embedder-figures.js';
import type { FaceDatabase } from '../faces/face-database.js';
import { isInstalled } from '../faces/look-at-faces.js';
import type { Perception } from '../faces/perception.js';
import { type CommandContext, settingsOf } from './context.js';
import { createEnrolmentView, type EnrolmentView } from './enrolment-view.js';
import type { Terminal } from './install-progress.js';
import { withStopSignal } from './stop-signal.js';
import { type Opened, withFaces } from './with-domain.js';

type OpenFaces = Opened<typeof withFaces>;

export interface ImportImagesOptions {
  readonly into?: string;
  readonly new?: string;
  readonly report?: string;
  readonly acceptProblems?: boolean;
  readonly account: string;
}

interface Images {
  /** As it was asked for. */
  readonly from: string;
  readonly path: string;
  readonly kind: 'folder' | 'zip';
}

/** Below the service's own processes, for which users wait: see setpriority(2). */
const niceness = 10;
/** Images for each inference process: one is looked at while the next is read and the last is written. */
const inFlightPerProcess = 2;

/** Adds images in folders named by person to a perception. Throws when one of them is not there in the end. */
export async function importImages(
  { from, path, kind }: Images,
  options: ImportImagesOptions,
  context: CommandContext,
  terminal: Terminal,
): Promise<void> {
  checkOptions(options);
  const { settings } = settingsOf(context);
  const { maxImageBytes } = settings;
  const processes = settings.inferenceProcesses || availableParallelism();
  const tree = kind === 'zip' ? imagesInZip(path, maxImageBytes) : imagesInFolder(path, maxImageBytes);

  const work = async (opened: OpenFaces) => {
    const { faces, accountId } = opened;
    const found = await findPerception(opened, options);
    const folders = await findWhoseFolders(tree);
    if (folders.people === 0) {
      throw new Error(`${from} has no images in folders named by person, such as ${from}/Ada/1.jpg`);
    }
    const report =
      options.report === undefined
        ? undefined
        : await openVerdictReport(resolve(context.cwd, options.report));
    const perception = found ?? (await makePerception(faces, accountId, options.new ?? '', context));
    const enrol = createEnrolImage(faces, accountId, perception, {
      acceptsDegraded: options.acceptProblems === true,
    });
    const view = createEnrolmentView(context, terminal, folders.files);
    const stopped = `Stopped. What was added stays; to continue: faces import ${from} --into ${perception.id}`;
    try {
      await withStopSignal(stopped, async (signal) => {
        const onStop = () => context.note('Stopping after the current images; press again to stop at once.');
        signal.addEventListener('abort', onStop);
        await enrolTree({
          tree,
          folders,
          enrol,
          inFlight: inFlightPerProcess * processes,
          signal,
          onVerdict(verdict) {
            view.show(verdict);
            report?.add(verdict);
          },
        });
        if (view.done < folders.files) signal.throwIfAborted();
      });
    } finally {
      view.close();
      await report?.close();
    }
    checkOutcome(view);
  };
  await withFaces(context, options.account, work, { processes, niceness });
}

function checkOptions({ into, new: name }: ImportImagesOptions): void {
  if ((into === undefined) === (name === undefined)) {
    throw new Error(
      'Images are added to one perception: give --into and its number or UID, or --new and a name to create one',
    );
  }
  if (name !== undefined && toName(name) === null) {
    throw new Error('--new needs a name of 1 to 200 characters without control characters');
  }
}

/** Undefined for one that is to be made; whose models are here in either case. */
async function findPerception(
  { faces, accountId, settings, installedModel }: OpenFaces,
  { into, account }: ImportImagesOptions,
): Promise<Perception | undefined> {
  const found = into === undefined ? undefined : await faces.perceptions.find(accountId, into);
  if (found === null) throw new Error(`${into} is not one of the perceptions of ${account}`);
  const embedder = found?.embedder ?? embedderOf(settings.faceChain, installedModel);
  if (isInstalled(embedder, installedModel)) return found;
  const [model = embedder] = embedder.split('@');
  throw new Error(
    `The model ${model} that describes its faces is not installed in this version; models install brings the default ones`,
  );
}

async function makePerception(
  { perceptions }: FaceDatabase,
  accountId: number,
  name: string,
  context: CommandContext,
): Promise<Perception> {
  const made = await perceptions.create(accountId, { name });
  context.note(`Created the perception "${made.name}": ${made.id}`);
  return made;
}

function checkOutcome({ done, missing }: EnrolmentView): void {
  if (missing === 0) return;
  throw new Error(`${missing} of ${done} images are not images of their person; the lines above say why`);
}

/**
 * A file with a line of JSON for each image.
 * Throws when the file is there already or cannot be made. Readable by its owner only: it names people.
 */
async function openVerdictReport(path: string) {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  await new Promise<void>((resolve, reject) => {
    file.once('open', () => resolve()).once('error', (error) => reject(toReportError(path, error)));
  });
  const written = finished(file);
  // Told at the end; the images are added whether or not there is a report.
  written.catch(() => undefined);
  return {
    add({ path: image, person, verdict, imageId, advice }: ImageVerdict) {
      file.write(`${JSON.stringify({ path: image, person, verdict, image_id: imageId, advice })}\n`);
    },
    /** Throws when not all of it could be written. */
    async close() {
      file.end();
      await written.catch((error: unknown) => {
        throw toReportError(path, error);
      });
    },
  };
}

function toReportError(path: string, error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EEXIST') return new Error(`${path} already exists`, { cause: error });
  return new Error(`The report ${path} cannot be written (${String(code)})`, { cause: error });
}
