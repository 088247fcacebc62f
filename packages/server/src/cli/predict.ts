import { stat, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Analysis, ImageSource, ProcessRunner, TaskCall } from '@lynceus/engine';
import { type Command, Option } from 'commander';
import { toCommandError } from '../core/engine-errors.js';
import { mapOrdered } from '../core/map-ordered.js';
import type { Settings } from '../core/settings.js';
import { defaultThresholds } from '../recognition/task-calls.js';
import { annotateImage } from './annotate-image.js';
import { type CommandContext, settingsOf } from './context.js';
import { explainFailure } from './explain-failure.js';
import { openRunner, processesOf } from './open-runner.js';
import { type PlanOptions, planTasks } from './plan-predict.js';
import { type PredictFormat, type Prediction, predictFormats, predictWriters } from './predict-formats.js';
import { type NamedImage, withImages } from './predict-sources.js';
import { toPrintable } from './printable.js';
import { analysisAsJson, analysisAsTables } from './show-analysis.js';

interface PredictOptions extends PlanOptions {
  readonly json?: boolean;
  readonly format?: PredictFormat;
  readonly annotate?: string;
  readonly filesFrom?: string;
  readonly null?: boolean;
  readonly recursive?: boolean;
}

/** `predict`: images through the engine, with no service and no account. */
export function addPredictCommand(program: Command, context: CommandContext): void {
  program
    .command('predict')
    .description('recognise images: one, many, or those of folders')
    .argument('[images...]', 'files, folders, http(s) addresses, or - for the image on standard input')
    .option('--model <id>', 'one model by its UID or number, instead of the parts')
    .option(
      '--parts <list>',
      'of classes, objects, texts, faces; without it those of LYNCEUS_RECOGNITION_PARTS',
    )
    .option(
      '--min-score <score>',
      'score, 0 to 1, from which an object is shown',
      parseScore,
      defaultThresholds.minScore,
    )
    .addOption(
      new Option(
        '--detail <detail>',
        'high: look for objects in slices of large images as well; normal unless given',
      ).choices(['normal', 'high']),
    )
    .option('--languages <list>', 'languages of the text, such as de,fr: only their letters are read')
    .option('--dense', "classify each object's part of the image too")
    .addOption(
      new Option(
        '--format <format>',
        'table; jsonl: one line of JSON an image; csv: one line a finding',
      ).choices([...predictFormats]),
    )
    .option('--json', 'answer one JSON object; of many images, one a line')
    .option('-r, --recursive', 'also the folders in a folder')
    .option('--files-from <file>', 'more images by their names, one a line; - for standard input')
    .option('--null', 'names of --files-from end with NUL, as find -print0 writes them')
    .option(
      '--annotate <file.jpg>',
      'write a JPEG of the image with what was found drawn on it',
      parseJpegName,
    )
    .action((images: string[], options: PredictOptions) => predict(images, options, context));
}

async function predict(
  images: readonly string[],
  options: PredictOptions,
  context: CommandContext,
): Promise<void> {
  const { settings } = settingsOf(context);
  checkImages(images, options);
  await checkAnnotate(images, options, context);
  const tasks = await planTasks(options, settings, context);
  const [image] = images;
  const isOne =
    images.length === 1 && !options.filesFrom && !options.format && !(await isFolder(image, context));
  const sources = {
    images,
    isNullEnded: options.null ?? false,
    isRecursive: options.recursive ?? false,
    ...(options.filesFrom === undefined ? {} : { filesFrom: options.filesFrom }),
  };
  await withImages(sources, settings, context, (named) =>
    isOne ? predictOne(named, tasks, options, context) : predictMany(named, tasks, options, context),
  );
}

function checkImages(images: readonly string[], { filesFrom, json, format, annotate }: PredictOptions): void {
  if (images.length === 0 && filesFrom === undefined) {
    throw new Error('Name an image, a folder, or - for the image on standard input');
  }
  const inputs = [...images, filesFrom].filter((name) => name === '-').length;
  if (inputs > 1) throw new Error('Standard input is one image, or one list of names');
  if (json && format !== undefined) throw new Error('Give --json or --format');
  if (annotate !== undefined && (images.length !== 1 || filesFrom !== undefined || format !== undefined)) {
    throw new Error('--annotate is for one image, without --format');
  }
}

/** By what the names stand for: the original of the image must not be lost. */
async function checkAnnotate(
  [image]: readonly string[],
  { annotate }: PredictOptions,
  context: CommandContext,
): Promise<void> {
  if (annotate === undefined || image === undefined) return;
  if (await isFolder(image, context)) throw new Error('--annotate is for one image, not for a folder');
  const [source, target] = await Promise.all(
    [image, annotate].map((name) =>
      stat(resolve(context.cwd, name), { bigint: true }).catch(() => undefined),
    ),
  );
  if (source && target && source.dev === target.dev && source.ino === target.ino) {
    throw new Error(`--annotate would overwrite the image ${image}: give another name`);
  }
}

async function isFolder(name: string | undefined, { cwd }: CommandContext): Promise<boolean> {
  if (name === undefined) return false;
  const found = await stat(resolve(cwd, name)).catch(() => undefined);
  return found?.isDirectory() ?? false;
}

async function predictOne(
  images: AsyncIterable<NamedImage>,
  tasks: readonly TaskCall[],
  options: PredictOptions,
  context: CommandContext,
): Promise<void> {
  const { settings } = settingsOf(context);
  for await (const image of images) {
    await image.use(async (source) => {
      const analysis = await withRunner(settings, 1, (runner) => analyse(runner, source, tasks, settings));
      context.print(options.json ? JSON.stringify(analysisAsJson(analysis)) : analysisAsTables(analysis));
      if (options.annotate === undefined) return;
      const path = resolve(context.cwd, options.annotate);
      await writeFile(path, await annotateImage(source, analysis, settings));
      context.note(`${options.annotate} written`);
    });
  }
}

/** Images for each inference process: those that are done wait for one before them, which may take longer. */
const inFlightPerProcess = 4;

async function predictMany(
  images: AsyncIterable<NamedImage>,
  tasks: readonly TaskCall[],
  { json, format = json ? 'jsonl' : 'table' }: PredictOptions,
  context: CommandContext,
): Promise<void> {
  const { settings } = settingsOf(context);
  const processes = processesOf(settings);
  const inFlight = inFlightPerProcess * processes;
  let [done, failed] = [0, 0];
  await withRunner(settings, processes, async (runner) => {
    const writer = predictWriters[format];
    const look = async ({ name, use }: NamedImage): Promise<Prediction> => {
      try {
        return { name, analysis: await use((source) => analyse(runner, source, tasks, settings)) };
      } catch (error) {
        return { name, error: explainFailure(toCommandError(error)) };
      }
    };
    if (!(await writeTo(context, writer.head))) return;
    for await (const prediction of mapOrdered(images, inFlight, look)) {
      done += 1;
      if ('error' in prediction) {
        failed += 1;
        context.note(toPrintable(`${prediction.name}: ${prediction.error}`));
      }
      if (!(await writeTo(context, writer.write(prediction)))) return;
    }
  });
  if (failed > 0) throw new Error(`${failed} of ${done} images failed; the lines above say why`);
}

/** Waits for the reader, so that no output gathers in memory; false when it has gone, as `head` does. */
async function writeTo({ stdout = process.stdout }: CommandContext, text: string): Promise<boolean> {
  if (!stdout.writable) return false;
  if (text !== '' && !stdout.write(text)) {
    await new Promise<void>((resolve) => {
      const events = ['drain', 'close', 'error'] as const;
      const end = () => {
        for (const event of events) stdout.off(event, end);
        resolve();
      };
      for (const event of events) stdout.on(event, end);
    });
  }
  return stdout.writable;
}

async function withRunner<T>(
  settings: Settings,
  processes: number,
  work: (runner: ProcessRunner) => Promise<T>,
): Promise<T> {
  try {
    const queueMax = inFlightPerProcess * processes;
    const runner = await openRunner(settings, { processes, queueMax });
    try {
      return await work(runner);
    } finally {
      await runner.close();
    }
  } catch (error) {
    throw toCommandError(error);
  }
}

function analyse(
  runner: ProcessRunner,
  source: ImageSource,
  tasks: readonly TaskCall[],
  settings: Settings,
): Promise<Analysis> {
  const job = { source, limits: { maxPixels: settings.maxPixels }, tasks };
  return runner.analyse(job, { priority: 'interactive' });
}

function parseJpegName(name: string): string {
  if (!/\.jpe?g$/i.test(name)) throw new Error('--annotate writes a JPEG: give a name that ends in .jpg');
  return name;
}

function parseScore(text: string): number {
  const score = Number(text);
  if (text.trim() === '' || !(score >= 0 && score <= 1))
    throw new Error('--min-score must be a number from 0 to 1');
  return score;
}
