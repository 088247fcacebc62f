import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  type Analysis,
  createProcessRunner,
  defaultModelsDir,
  drawMarks,
  openCatalog,
  openPicture,
  type PictureSource,
  type TaskCall,
} from '@lynceus/engine';
import type { Command } from 'commander';
import type { Settings } from '../config/settings.js';
import { createPictureFetcher } from '../fetch/fetch-picture.js';
import { openSpool } from '../intake/spool.js';
import { chooseModel, defaultClassifier, defaultDetector } from '../recognition/builtin.js';
import { toServiceError } from '../recognition/engine-errors.js';
import { defaultThresholds } from '../recognition/recognition.js';
import { type CommandContext, settingsOf } from './context.js';
import { analysisAsJson, analysisAsTables } from './show-analysis.js';

interface PredictOptions {
  readonly json?: boolean;
  readonly annotate?: string;
  readonly model?: string;
  readonly minScore: number;
  readonly dense?: boolean;
}

/** `predict`: one picture through the engine, with no service and no account. */
export function addPredictCommand(program: Command, context: CommandContext): void {
  program
    .command('predict')
    .description('recognise one picture')
    .argument('<picture>', 'a file, or an http(s) address')
    .option('--model <id>', 'one model by its UID or number; without it the default detector and classifier')
    .option(
      '--min-score <score>',
      'score, 0 to 1, from which an object is shown',
      parseScore,
      defaultThresholds.minScore,
    )
    .option('--dense', "classify each object's part of the picture too")
    .option('--json', 'answer one JSON object')
    .option('--annotate <file>', 'write a JPEG of the picture with the boxes drawn on it')
    .action((picture: string, options: PredictOptions) => predict(picture, options, context));
}

async function predict(picture: string, options: PredictOptions, context: CommandContext): Promise<void> {
  const { settings } = settingsOf(context);
  const tasks = await planTasks(options, settings, context);
  await withPicture(picture, settings, context, async (source) => {
    const analysis = await analyse(source, tasks, settings);
    context.print(options.json ? JSON.stringify(analysisAsJson(analysis)) : analysisAsTables(analysis));
    if (options.annotate) {
      await writeFile(resolve(context.cwd, options.annotate), await annotate(source, analysis, settings));
      context.note(`wrote ${options.annotate}`);
    }
  });
}

async function planTasks(
  options: PredictOptions,
  settings: Settings,
  context: CommandContext,
): Promise<TaskCall[]> {
  const modelsDir = settings.modelsDir || defaultModelsDir({ env: context.env, dataDir: settings.dataDir });
  const catalog = await openCatalog({ modelsDir, env: context.env });
  const refsOf = (ids: readonly string[]) =>
    ids.map((id) => {
      const ref = catalog.installed(id);
      if (!ref)
        throw new Error(
          `Model ${id} is not installed; install it with: npm run -s lynceus -- models install ${id}`,
        );
      return ref;
    });
  const chosen =
    options.model === undefined ? [defaultDetector, defaultClassifier] : [chooseModel(options.model)];
  const tasks: TaskCall[] = [];
  for (const model of chosen) {
    const models = refsOf(model.parts);
    const [first] = models;
    if (model.type === 'object_detection') {
      tasks.push({
        task: 'detect',
        options: { models, minScore: options.minScore, nmsIou: defaultThresholds.nmsIou },
      });
    } else if (first) {
      tasks.push({ task: 'classify', options: { model: first, topK: 5 } });
    }
  }
  const [classifier] = refsOf(defaultClassifier.parts);
  if (options.dense && classifier && tasks.some(({ task }) => task === 'detect')) {
    tasks.push({ task: 'segment', options: { model: classifier, topK: 3, maxSegments: 10 } });
  }
  return tasks;
}

async function withPicture(
  picture: string,
  settings: Settings,
  context: CommandContext,
  work: (source: PictureSource) => Promise<void>,
): Promise<void> {
  if (!/^https?:\/\//i.test(picture)) {
    const path = resolve(context.cwd, picture);
    const found = await stat(path).catch(() => undefined);
    if (!found?.isFile()) throw new Error(`There is no file ${picture}`);
    return work({ kind: 'file', path });
  }
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-predict-'));
  try {
    const spool = await openSpool({ dir, maxBytes: settings.spoolMaxBytes });
    const fetchPicture = createPictureFetcher({ spool, ...settings });
    await work((await fetchPicture(picture, new AbortController().signal)).source);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function analyse(
  source: PictureSource,
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

async function annotate(source: PictureSource, { results }: Analysis, settings: Settings): Promise<Buffer> {
  const picture = await openPicture(source, {
    limits: { maxPixels: settings.maxPixels },
    detailPx: Number.POSITIVE_INFINITY,
  });
  const marks = (results.detect?.detections ?? []).map(({ label, score, box }) => ({
    box,
    title: label.title,
    note: score.toFixed(2),
  }));
  return drawMarks(picture, marks);
}

function parseScore(text: string): number {
  const score = Number(text);
  if (text.trim() === '' || !(score >= 0 && score <= 1))
    throw new Error('--min-score must be a number from 0 to 1');
  return score;
}
