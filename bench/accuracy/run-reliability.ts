import { judge } from '@lynceus/engine';
import { concurrently } from '../concurrently.js';
import { type BenchEngine, startEngine } from '../engine.js';
import { type Half, isInHalf } from '../half.js';
import { formatTable, share } from '../table.js';
import { readCoco, readImageNet } from './datasets.js';
import { askAll } from './detection.js';
import { labelIdsOf } from './label-ids.js';
import { type Reliability, reliabilityOf, type Scored } from './reliability.js';
import { detectorThroughEngine, limits } from './through-engine.js';

/** Scores below this are shown by no client. */
const minScore = 0.05;

interface Options {
  readonly data: string;
  readonly half: Half | undefined;
}

/** Whether a score says how often an answer is right: of the classes and objects of one half of the data. */
export async function runReliability(options: Options): Promise<void> {
  const engine = await startEngine();
  try {
    show('classes, imagenet, the best of each image', await classes(engine, options, 1));
    show(`classes, imagenet, all from ${share(minScore)}`, await classes(engine, options, 20));
    show('objects, coco-fast', await objects(engine, options, ['coco-ssd']));
    show('objects, coco-accurate', await objects(engine, options, ['coco-ssd', 'centernet-coco']));
  } finally {
    await engine.close();
  }
}

async function classes(engine: BenchEngine, { data, half }: Options, topK: number): Promise<Reliability> {
  const photos = (await readImageNet(data)).filter(({ name }) => isInHalf(name, half));
  const model = engine.ref('inception-v3');
  const answers = await concurrently([...photos.entries()], 8, async ([image, { bytes, classId }]) => {
    const { results } = await engine.runner.analyse(
      { source: { kind: 'bytes', bytes }, limits, tasks: [{ task: 'classify', options: { model, topK } }] },
      { priority: 'batch' },
    );
    return (results.classify?.classes ?? [])
      .filter(({ score }) => topK === 1 || score >= minScore)
      .map(({ label, score }): Scored => ({ image, score, isRight: label.id === classId }));
  });
  return reliabilityOf(answers.flat(), photos.length);
}

async function objects(
  engine: BenchEngine,
  { data, half }: Options,
  ids: readonly string[],
): Promise<Reliability> {
  const photos = (await readCoco(data)).filter(({ name }) => isInHalf(name, half));
  const models = ids.map((id) => engine.ref(id));
  const labels = await labelIdsOf(models[0]);
  const ask = detectorThroughEngine(engine.runner, models, labels);
  const { classes: judged } = judge(await askAll(photos, ask, { minScore, nmsIou: 0.45 }), labels.length);
  const answers = judged.flatMap((each) =>
    // At COCO's first threshold: an intersection over union of .5.
    each.judged.map(({ image, score, hits }): Scored => ({ image, score, isRight: hits[0] === true })),
  );
  return reliabilityOf(answers, photos.length);
}

function show(title: string, { bins, error, interval, exact }: Reliability): void {
  const rows = bins.map(({ from, to, count, score, right }) => [
    `${share(from)} to ${share(to)}`,
    String(count),
    count > 0 ? share(score) : '',
    count > 0 ? share(right) : '',
  ]);
  console.log(
    `${title}: expected calibration error ${share(error)} (95 % interval ${share(interval.low)} to ${share(interval.high)}); ` +
      `of exact scores ${share(exact.mean)} (${share(exact.low)} to ${share(exact.high)})`,
  );
  console.log(`${formatTable([['score', 'answers', 'mean score', 'right'], ...rows])}\n`);
}
