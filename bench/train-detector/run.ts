import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import {
  averagePrecision,
  type BoxedImage,
  createTrainer,
  type EvaluatedImage,
  judge,
  ModelManifest,
  type ModelRef,
  workingPoint,
} from '@lynceus/engine';
import { Value } from 'typebox/value';
import { seededRandom, shuffled } from '#engine/training/seeded-random.js';
import { bootstrapInterval } from '../accuracy/bootstrap.js';
import { type BenchEngine, startEngine } from '../engine.js';
import { type Half, halfOf, isInHalf } from '../half.js';
import { formatTable, share } from '../table.js';
import { composeMarks } from './marks.js';
import { readAnimals, readRaccoons, readUnrelated } from './raccoons.js';

const limits = { maxPixels: 100_000_000 };
const folds = 5;
const everySize = [10, 20, 40, Number.POSITIVE_INFINITY];

/**
 * Accuracy of detectors trained on few images: trained like a customer's, in a process, and run through the engine;
 * 5-fold cross-validation, so that each image is predicted by a model that was not trained on it. With the half `tune` both
 * training and measurement keep to it; with `report` models are trained on images of `tune` and measured on `report`.
 */
export async function runTrainDetector({
  data,
  only,
  sizes = everySize,
  seeds = [1],
  half,
}: {
  readonly data: string;
  /** `raccoons` or `marks`; both unless given. */
  readonly only: string | undefined;
  /** Numbers of training images. */
  readonly sizes?: readonly number[];
  /** Seeds of the training runs and, except for the first, of the choice of training images. */
  readonly seeds?: readonly number[];
  readonly half?: Half | undefined;
}): Promise<void> {
  const engine = await startEngine();
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-bench-detector-'));
  try {
    const mine = ({ path }: BoxedImage) => isInHalf(basename(path), half);
    const unrelated = (await readUnrelated(data)).filter(mine);
    const animals = (await readAnimals(data)).filter(mine);
    const tasks = [
      { name: 'raccoons', read: () => readRaccoons(data) },
      { name: 'marks', read: () => composeMarks(data, join(dir, 'marks')) },
    ];
    for (const { name, read } of tasks.filter((task) => only === undefined || task.name === only))
      await runTask({ engine, dir, name, images: await read(), unrelated, animals, sizes, seeds, half });
  } finally {
    await engine.close();
    await rm(dir, { recursive: true, force: true });
  }
}

interface Trial {
  readonly engine: BenchEngine;
  readonly dir: string;
  readonly name: string;
  readonly images: readonly BoxedImage[];
  readonly unrelated: readonly BoxedImage[];
  /** Of other kinds: what a detector of an animal confuses most easily. */
  readonly animals: readonly BoxedImage[];
  readonly sizes: readonly number[];
  readonly seeds: readonly number[];
  readonly half: Half | undefined;
}

interface Division {
  readonly train: readonly BoxedImage[];
  readonly test: readonly BoxedImage[];
}

function divide(images: readonly BoxedImage[], half: Half | undefined): Division[] {
  const halfOfImage = ({ path }: BoxedImage) => halfOf(basename(path));
  const tune = images.filter((image) => halfOfImage(image) === 'tune');
  if (half === 'report')
    return [{ train: tune, test: images.filter((image) => halfOfImage(image) === 'report') }];
  const some = half === 'tune' ? tune : images;
  return Array.from({ length: folds }, (_, fold) => ({
    train: some.filter((_, index) => index % folds !== fold),
    test: some.filter((_, index) => index % folds === fold),
  }));
}

async function runTask(trial: Trial): Promise<void> {
  const { engine, dir, name, images, unrelated, animals, sizes, seeds, half } = trial;
  const rows = [
    [
      'images',
      'seed',
      'AP50',
      '95 % interval',
      'AP',
      'recall at .4',
      'F1 at .4',
      'false boxes',
      'on other animals',
      'own report: AP50, false boxes shipped',
      'seconds a training',
    ],
  ];
  const runs = sizes.flatMap((size) => seeds.map((seed) => ({ size, seed })));
  for (const { size, seed } of runs) {
    const evaluated: EvaluatedImage[] = [];
    const falseShares: number[] = [];
    const animalShares: number[] = [];
    const own: string[] = [];
    const seconds: number[] = [];
    let trainingCount = 0;
    for (const [fold, { train: learnable, test }] of divide(images, half).entries()) {
      const train = chooseSome(learnable, size, seed);
      trainingCount = train.length;
      const { model, spent, said } = await trainOn(
        { engine, dir },
        `${name}-${size}-${seed}-${fold}`,
        train,
        seed,
      );
      seconds.push(spent);
      own.push(said);
      for (const image of test) evaluated.push(await ask(engine, model, image));
      falseShares.push(await falseShare(engine, model, unrelated));
      animalShares.push(await falseShare(engine, model, animals));
    }
    const judgement = judge(evaluated, 1);
    const { ap, ap50 } = averagePrecision(judgement);
    const interval = bootstrapInterval(
      judgement.images,
      (weights) => averagePrecision(judgement, weights).ap50,
    );
    rows.push([
      String(trainingCount),
      String(seed),
      share(ap50),
      `${share(interval.low)} to ${share(interval.high)}`,
      share(ap),
      share(workingPoint(judgement, 0.4).recall),
      share(workingPoint(judgement, 0.4).f1),
      `${share(mean(falseShares))} (${share(Math.min(...falseShares))} to ${share(Math.max(...falseShares))})`,
      share(mean(animalShares)),
      own.at(-1) ?? '',
      mean(seconds).toFixed(1),
    ]);
  }
  console.log(
    `${name}: ${half ?? `all of ${images.length} images, ${folds}-fold`}; false boxes: share of ${unrelated.length} unrelated COCO images, ${animals.length} images of other animals`,
  );
  console.log(`${formatTable(rows)}\n`);
}

/** Evenly spaced for the first seed, random for others. */
function chooseSome(learnable: readonly BoxedImage[], size: number, seed: number): BoxedImage[] {
  if (seed !== 1) return shuffled(learnable, seededRandom(seed)).slice(0, size);
  const step = Math.max(1, learnable.length / size);
  return Array.from(
    { length: Math.min(size, learnable.length) },
    (_, at) => learnable[Math.floor(at * step)],
  ).filter((image) => image !== undefined);
}

async function trainOn(
  { engine, dir }: Pick<Trial, 'engine' | 'dir'>,
  name: string,
  images: readonly BoxedImage[],
  seed: number,
) {
  const outDir = join(dir, name);
  const startedAt = performance.now();
  const trainer = createTrainer({ maxRssBytes: 4 * 2 ** 30, nice: 0 });
  const { report } = await trainer.train({
    kind: 'object_detection',
    title: name,
    labels: [{ id: name, title: name }],
    backbone: engine.ref('coco-ssd'),
    classifier: engine.ref('inception-v3'),
    limits,
    cacheDir: join(dir, 'cache'),
    outDir,
    seed,
    images,
  });
  const spent = (performance.now() - startedAt) / 1000;
  const own = `${share(report.overall.ap50)} AP50, false on shipped ${report.falseBoxes.shipped.share?.toFixed(2)}`;
  process.stderr.write(
    `${name}: its own report says ${own}, ${report.warnings.map(({ code }) => code)}; ${spent.toFixed(1)} s\n`,
  );
  const { id, version } = await manifestOf(outDir);
  const said = `${share(report.overall.ap50)}, ${share(report.falseBoxes.shipped.share ?? 0)}`;
  return { model: { id, version, dir: outDir }, spent, said };
}

async function manifestOf(dir: string): Promise<{ id: string; version: string }> {
  return Value.Parse(ModelManifest, JSON.parse(await readFile(join(dir, 'manifest.json'), 'utf8')));
}

async function ask(engine: BenchEngine, model: ModelRef, image: BoxedImage): Promise<EvaluatedImage> {
  const { results } = await engine.runner.analyse(
    {
      source: { kind: 'file', path: image.path },
      limits,
      tasks: [{ task: 'detect', options: { models: [model], minScore: 0, nmsIou: 0.45 } }],
    },
    { priority: 'batch' },
  );
  return {
    truths: image.boxes.map(({ label, box }) => ({ classIndex: label, box })),
    detections: (results.detect?.detections ?? []).map(({ score, box }) => ({ classIndex: 0, score, box })),
  };
}

async function falseShare(
  engine: BenchEngine,
  model: ModelRef,
  images: readonly BoxedImage[],
): Promise<number> {
  const answers = await Promise.all(images.map((image) => ask(engine, model, image)));
  const wrong = answers.filter(({ detections }) => (detections[0]?.score ?? 0) >= 0.4);
  return wrong.length / Math.max(1, answers.length);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
