import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type ClassifierTraining, createTrainer, type ModelRef } from '@lynceus/engine';
import { readPooledBackgrounds } from '#engine/training/classifier/backgrounds.js';
import type { Matrix } from '#engine/training/classifier/matrix.js';
import { fitUnlikeGate, unlikeProbability } from '#engine/training/classifier/unlike-training.js';
import { extractFeatures, loadBackbone } from '#engine/training/extract-features.js';
import { seededRandom } from '../accuracy/bootstrap.js';
import { installedModel } from '../engine.js';
import { type Half, isInHalf } from '../half.js';
import { formatTable, share } from '../table.js';
import { cutCocoCrops, type ImageClass, type ImageFile, readOthers, readRaccoons } from './images.js';
import { type Example, nearestCentroid, nearestNeighbours } from './neighbours.js';

const seeds = [1, 2, 3, 4, 5];
const neighbours = 5;
/** A recall of fewer images than this says nothing. */
const leastHeldOut = 2;

/**
 * The classifier's training on few images, each figure over five draws of them and measured on all others: raccoons
 * against other animals, and crops of COCO classes, beside nearest centroid and nearest neighbours on the same features.
 */
export async function runTrainClassifier({
  data,
  half,
}: {
  readonly data: string;
  /** Both training and held-out images are of it. */
  readonly half?: Half | undefined;
}): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-bench-'));
  try {
    const backbone = await installedModel('inception-v3');
    const raccoons = ofHalf(await readRaccoons(data), half);
    const crops = ofHalf(await cutCocoCrops(data, join(dir, 'crops')), half);
    const others = (await readOthers(data)).filter(({ path }) => isInHalf(nameOf(path), half));
    const bench: Bench = { dir, backbone, others };
    const rows = [
      [
        'task',
        'classes',
        'a class',
        'held out',
        'trained',
        'centroid',
        'k-NN',
        'ECE',
        'unlike: held out',
        'unlike: others',
        'AUROC',
        'seconds',
      ],
    ];
    for (const count of [5, 10, 20, 40]) rows.push(await compare('raccoon', raccoons, count, bench));
    for (const count of [5, 10]) {
      const enough = crops.filter(({ images }) => images.length >= count + leastHeldOut).slice(0, 8);
      rows.push(await compare('COCO crops', enough, count, bench));
    }
    console.log('balanced accuracy on held-out images, mean and standard deviation over 5 draws');
    console.log(`${formatTable(rows)}\n`);
    console.log(await noneOfThese(raccoons, bench));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

interface Bench {
  readonly dir: string;
  readonly backbone: ModelRef;
  /** Images of neither task. */
  readonly others: readonly ImageFile[];
}

async function compare(
  task: string,
  classes: readonly ImageClass[],
  count: number,
  bench: Bench,
): Promise<string[]> {
  const figures: DrawFigures[] = [];
  for (const seed of seeds) figures.push(await trainOnce(jobOf(task, classes, count, seed, bench), bench));
  const column = (name: keyof DrawFigures) => meanAndSpread(figures.map((each) => each[name]));
  const heldOut = classes.reduce((sum, { images }) => sum + Math.max(0, images.length - count), 0);
  return [
    task,
    String(classes.length),
    String(count),
    String(heldOut),
    ...(['trained', 'centroid', 'neighbours', 'ece', 'unlikeHeld', 'unlikeOthers', 'auroc'] as const).map(
      column,
    ),
    (figures.reduce((sum, { seconds }) => sum + seconds, 0) / figures.length).toFixed(1),
  ];
}

interface DrawFigures {
  /** Balanced accuracies. */
  readonly trained: number;
  readonly centroid: number;
  readonly neighbours: number;
  readonly ece: number;
  /** Shares of held-out images and of images of neither task that count as unlike the training images; area under their curve. */
  readonly unlikeHeld: number;
  readonly unlikeOthers: number;
  readonly auroc: number;
  /** Without the features, which are in the cache from the second draw on. */
  readonly seconds: number;
}

async function trainOnce(job: ClassifierTraining, { others }: Bench): Promise<DrawFigures> {
  const { report } = await createTrainer({ maxRssBytes: 2 ** 31, nice: 0, onFault: console.error }).train(
    job,
  );
  const loaded = await loadBackbone(job);
  const strange = others.map((image) => ({ ...image, id: image.path, split: 'train' as const, labels: [] }));
  const onProgress = () => undefined;
  const { rows, dims, images } = await extractFeatures(job, loaded, { onProgress });
  const far = await extractFeatures({ ...job, images: strange }, loaded, { onProgress });
  const examples = images.map(({ labels, split }, row) => ({
    split,
    features: rows.slice(row * dims, (row + 1) * dims),
    label: labels[0] ?? 0,
  }));
  const known = examples.filter(({ split }) => split === 'train');
  const held = examples.filter(({ split }) => split === 'held-out');
  const count = job.labels.length;
  // The head of the figures has not been fitted to the held-out images; that of the written file has.
  const shown = known.map(({ label }) => [label]);
  const backgrounds = await readPooledBackgrounds(loaded, job.labels);
  const gate = fitUnlikeGate({ features: toMatrix(known), shown }, backgrounds, job.seed);
  if (!gate) throw new Error('there are too few images for a gate');
  const unlike = (features: Matrix) =>
    Array.from({ length: features.rows }, (_, row) => unlikeProbability(gate, features, row));
  const ownUnlike = unlike(toMatrix(held));
  const otherUnlike = unlike({ data: far.rows, rows: far.images.length, columns: dims });
  return {
    unlikeHeld: shareOf(ownUnlike, (one) => one >= 0.5),
    unlikeOthers: shareOf(otherUnlike, (one) => one >= 0.5),
    auroc: mean(otherUnlike.map((other) => shareOf(ownUnlike, (one) => one < other))),
    trained: report.figures.balancedAccuracy,
    centroid: balancedAccuracy(held, nearestCentroid(known, count), count),
    neighbours: balancedAccuracy(held, nearestNeighbours(known, count, neighbours), count),
    ece: report.figures.calibration.ece,
    seconds: (report.timesMs.training + report.timesMs.measuring + report.timesMs.writing) / 1000,
  };
}

/** Raccoons alone; the other animals are none of these and are not in the training images. */
async function noneOfThese([raccoons, others]: readonly ImageClass[], bench: Bench): Promise<string> {
  if (!raccoons || !others) return '';
  const accepted: number[] = [];
  const rejected: number[] = [];
  for (const seed of seeds) {
    const job = jobOf('none of these', [raccoons, others], 20, seed, bench);
    const images = job.images
      .filter(({ labels, split }) => labels[0] === 0 || split === 'held-out')
      .map((image) => ({ ...image, labels: image.labels[0] === 0 ? [0] : [] }));
    const only = { ...job, labels: job.labels.slice(0, 1), noneOfThese: true, images };
    const { report } = await createTrainer({ maxRssBytes: 2 ** 31, nice: 0 }).train(only);
    accepted.push(report.figures.classes[0]?.recall ?? 0);
    rejected.push(report.figures.classes[1]?.recall ?? 0);
  }
  return `20 raccoons and nothing else to train on: ${meanAndSpread(accepted)} of other raccoons are recognised, ${meanAndSpread(rejected)} of other animals are classified as none of these`;
}

function jobOf(
  title: string,
  classes: readonly ImageClass[],
  count: number,
  seed: number,
  { dir, backbone }: Bench,
): ClassifierTraining {
  const random = seededRandom(seed);
  const images = classes.flatMap(({ title: name, images: own }, label) =>
    own
      .map((image) => ({ image, order: random() }))
      .sort((a, b) => a.order - b.order)
      .map(({ image }, index) => ({
        ...image,
        id: `${name} ${image.path}`,
        split: index < count ? ('train' as const) : ('held-out' as const),
        labels: [label],
      })),
  );
  return {
    kind: 'classification',
    title,
    labels: classes.map(({ title: name }) => ({ id: name, title: name })),
    backbone,
    limits: { maxPixels: 50_000_000 },
    cacheDir: join(dir, 'features'),
    outDir: join(dir, 'out'),
    seed,
    images,
    multiLabel: false,
    noneOfThese: false,
  };
}

function balancedAccuracy(
  images: readonly Example[],
  classify: (features: Float32Array) => number,
  classes: number,
): number {
  const recalls = Array.from({ length: classes }, (_, label) => {
    const own = images.filter((image) => image.label === label);
    return own.filter(({ features }) => classify(features) === label).length / own.length;
  });
  return recalls.reduce((sum, recall) => sum + recall, 0) / classes;
}

/** Names of both tasks: a crop belongs where its photograph does. */
function nameOf(path: string): string {
  return basename(path).replace(/(\.jpg)?-\d+\.png$/, '.jpg');
}

function ofHalf(classes: readonly ImageClass[], half: Half | undefined): ImageClass[] {
  return classes
    .map((one) => ({ ...one, images: one.images.filter(({ path }) => isInHalf(nameOf(path), half)) }))
    .sort((a, b) => b.images.length - a.images.length);
}

function toMatrix(examples: readonly Example[]): Matrix<Float32Array> {
  const columns = examples[0]?.features.length ?? 0;
  const data = new Float32Array(examples.length * columns);
  for (const [row, { features }] of examples.entries()) data.set(features, row * columns);
  return { data, rows: examples.length, columns };
}

function shareOf(values: readonly number[], holds: (value: number) => boolean): number {
  return values.filter(holds).length / Math.max(1, values.length);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function meanAndSpread(values: readonly number[]): string {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return `${share(mean)} ± ${share(Math.sqrt(squares / Math.max(1, values.length - 1)))}`;
}
