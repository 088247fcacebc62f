import { stat, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  type Analysis,
  type Catalog,
  createProcessRunner,
  type DetectionDetail,
  drawMarks,
  type ImageSource,
  type Mark,
  type ModelRef,
  openImage,
  type TaskCall,
} from '@lynceus/engine';
import { type Command, Option } from 'commander';
import { createBuiltinModels } from '../builtin/builtin-models.js';
import { toServiceError } from '../core/engine-errors.js';
import type { Settings } from '../core/settings.js';
import { createImageFetcher } from '../intake/fetch-image.js';
import { openSpool } from '../intake/spool.js';
import { modeOf } from '../recognition/general.js';
import { defaultParts, readParts } from '../recognition/parts.js';
import { createTaskCalls, defaultThresholds } from '../recognition/task-calls.js';
import { readTextLanguages } from '../recognition/text-languages.js';
import { type CommandContext, settingsOf } from './context.js';
import { openModels } from './open-models.js';
import { analysisAsJson, analysisAsTables } from './show-analysis.js';
import { createTemporaryFolder } from './temporary-folder.js';

interface PredictOptions {
  readonly json?: boolean;
  readonly annotate?: string;
  readonly model?: string;
  readonly parts?: string;
  readonly minScore: number;
  readonly dense?: boolean;
  readonly detail?: DetectionDetail;
  readonly languages?: string;
}

/** `predict`: one image through the engine, with no service and no account. */
export function addPredictCommand(program: Command, context: CommandContext): void {
  program
    .command('predict')
    .description('recognise one image')
    .argument('<image>', 'a file, or an http(s) address')
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
    .option('--json', 'answer one JSON object')
    .option(
      '--annotate <file.jpg>',
      'write a JPEG of the image with what was found drawn on it',
      parseJpegName,
    )
    .action((image: string, options: PredictOptions) => predict(image, options, context));
}

async function predict(image: string, options: PredictOptions, context: CommandContext): Promise<void> {
  const { settings } = settingsOf(context);
  const tasks = await planTasks(options, settings, context);
  await withImage(image, settings, context, async (source) => {
    const analysis = await analyse(source, tasks, settings);
    context.print(options.json ? JSON.stringify(analysisAsJson(analysis)) : analysisAsTables(analysis));
    if (options.annotate) {
      await writeFile(resolve(context.cwd, options.annotate), await annotate(source, analysis, settings));
      context.note(`${options.annotate} written`);
    }
  });
}

async function planTasks(
  options: PredictOptions,
  settings: Settings,
  context: CommandContext,
): Promise<readonly TaskCall[]> {
  const catalog = await openModels(context);
  const builtinModels = createBuiltinModels(catalog.list(), settings);
  const { general } = builtinModels.defaults;
  const calls = createTaskCalls({
    installedModel: (id) => installedModel(catalog, id),
    faceChain: settings.faceChain,
  });
  const { detail, languages, minScore } = options;
  const detection = { ...defaultThresholds, minScore, ...(detail && { detail }) };
  if (options.model === undefined) {
    const parts = options.parts === undefined ? defaultParts(settings) : readParts(options.parts);
    if (languages !== undefined && !parts.has('texts'))
      throw new Error('--languages is for texts, which --parts leaves out');
    if (detail !== undefined && !parts.has('objects'))
      throw new Error('--detail is for objects, which --parts leaves out');
    const textLanguages =
      languages === undefined
        ? readTextLanguages(settings.textLanguages)
        : readTextLanguages(languages, '--languages');
    return calls.general(parts, modeOf(options.dense ? 'dense' : 'basic', parts), general, {
      detection,
      ...(textLanguages && { textLanguages }),
    });
  }
  const model = builtinModels.find(options.model.trim());
  if (!model) {
    const names = builtinModels.all.map(({ uid }) => uid);
    throw new Error(`${options.model} is not a built-in model; those are ${names.join(', ')}`);
  }
  if (languages !== undefined) throw new Error('--languages is for texts, which no model of --model reads');
  if (model.type === 'classification') {
    if (detail !== undefined) throw new Error(`--detail is for objects, and ${model.uid} finds classes`);
    return [calls.classify(model)];
  }
  const detect = calls.detect(model, detection);
  return options.dense ? [detect, calls.segment(general.classifier)] : [detect];
}

function installedModel(catalog: Catalog, id: string): ModelRef {
  const ref = catalog.installed(id);
  if (ref) return ref;
  throw new Error(
    `Model ${id} is not installed; install it with: npm run -s lynceus -- models install ${id}`,
  );
}

async function withImage(
  image: string,
  settings: Settings,
  context: CommandContext,
  work: (source: ImageSource) => Promise<void>,
): Promise<void> {
  if (!/^https?:\/\//i.test(image)) {
    const path = resolve(context.cwd, image);
    const found = await stat(path).catch(() => undefined);
    if (!found?.isFile()) throw new Error(`There is no file ${image}`);
    return work({ kind: 'file', path });
  }
  const { dir, remove } = await createTemporaryFolder('predict');
  try {
    const spool = await openSpool({ dir, maxBytes: settings.spoolMaxBytes });
    const fetchImage = createImageFetcher({ spool, ...settings });
    await work((await fetchImage(image, new AbortController().signal)).source);
  } finally {
    await remove();
  }
}

async function analyse(
  source: ImageSource,
  tasks: readonly TaskCall[],
  settings: Settings,
): Promise<Analysis> {
  const runner = createProcessRunner({
    processes: 1,
    queueMax: 1,
    jobTimeoutMs: settings.requestTimeoutMs,
    maxRssBytes: settings.inferenceMaxMemoryMb * 2 ** 20,
  });
  try {
    await runner.start();
    const job = { source, limits: { maxPixels: settings.maxPixels }, tasks };
    return await runner.analyse(job, { priority: 'interactive' });
  } catch (error) {
    throw toServiceError(error);
  } finally {
    await runner.close();
  }
}

async function annotate(source: ImageSource, analysis: Analysis, settings: Settings): Promise<Uint8Array> {
  const image = await openImage(source, {
    limits: { maxPixels: settings.maxPixels },
    detailPx: Number.POSITIVE_INFINITY,
  });
  return (await drawMarks(image, marksOf(analysis))).jpeg;
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

/** What `--annotate` draws: texts by their polygons, faces and objects by their boxes. */
function marksOf({ results }: Analysis): Mark[] {
  const objects = (results.detect?.detections ?? []).map(({ label, score, box }) => ({
    box,
    title: label.title,
    note: score.toFixed(2),
  }));
  const faces = (results.faces?.faces ?? []).map(({ box, score }) => ({
    box,
    title: 'face',
    group: 'faces',
    note: score.toFixed(2),
  }));
  const texts = (results.readText?.lines ?? []).map(({ text, polygon, box }) => ({
    box,
    polygon,
    title: text,
    group: 'line',
  }));
  return [...texts, ...faces, ...objects];
}
