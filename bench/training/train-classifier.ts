import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClassifierTraining, createTrainer, type ModelRef } from '@lynceus/engine';
import { extractFeatures, loadBackbone } from '#engine/training/extract-features.js';
import { seededRandom } from '../accuracy/bootstrap.js';
import { installedModel } from '../engine.js';
import { formatTable, share } from '../table.js';
import { cutCocoCrops, type ImageClass, readRaccoons } from './images.js';
import { type Example, nearestCentroid, nearestNeighbours } from './neighbours.js';

const seeds = [1, 2, 3, 4, 5];
const neighbours = 5;
/** A recall of fewer images than this says nothing. */
const leastHeldOut = 2;

/**
 * The classifier's training on few images, each figure over five draws of them and measured on all others: raccoons
 * against other animals, and crops of COCO classes, beside nearest centroid and nearest neighbours on the same features.
 */
export async function runTrainClassifier({ data }: { readonly data: string }): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-bench-'));
  try {
    const backbone = await installedModel('inception-v3');
    const bench = { dir, backbone };
    const raccoons = await readRaccoons(data);
    const crops = await cutCocoCrops(data, join(dir, 'crops'));
    const rows = [
      ['task', 'classes', 'a class', 'held out', 'trained', 'centroid', 'k-NN', 'ECE', 'seconds'],
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
}

async function compare(
  task: string,
  classes: readonly ImageClass[],
  count: number,
  bench: Bench,
): Promise<string[]> {
  const figures: DrawFigures[] = [];
  for (const seed of seeds) figures.push(await trainOnce(jobOf(task, classes, count, seed, bench)));
  const column = (name: keyof DrawFigures) => meanAndSpread(figures.map((each) => each[name]));
  const heldOut = classes.reduce((sum, { images }) => sum + Math.max(0, images.length - count), 0);
  return [
    task,
    String(classes.length),
    String(count),
    String(heldOut),
    ...(['trained', 'centroid', 'neighbours', 'ece'] as const).map(column),
    (figures.reduce((sum, { seconds }) => sum + seconds, 0) / figures.length).toFixed(1),
  ];
}

interface DrawFigures {
  /** Balanced accuracies. */
  readonly trained: number;
  readonly centroid: number;
  readonly neighbours: number;
  readonly ece: number;
  /** Without the features, which are in the cache from the second draw on. */
  readonly seconds: number;
}

async function trainOnce(job: ClassifierTraining): Promise<DrawFigures> {
  const { report } = await createTrainer({ maxRssBytes: 2 ** 31, nice: 0, onFault: console.error }).train(
    job,
  );
  const { rows, dims, images } = await extractFeatures(job, await loadBackbone(job), { onProgress() {} });
  const examples = images.map(({ labels, split }, row) => ({
    split,
    features: rows.slice(row * dims, (row + 1) * dims),
    label: labels[0] ?? 0,
  }));
  const known = examples.filter(({ split }) => split === 'train');
  const held = examples.filter(({ split }) => split === 'held-out');
  const count = job.labels.length;
  return {
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

function meanAndSpread(values: readonly number[]): string {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return `${share(mean)} ± ${share(Math.sqrt(squares / Math.max(1, values.length - 1)))}`;
}
