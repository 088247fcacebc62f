import { areaRanges, averagePrecision, type EvaluatedImage, judge, workingPoint } from '@lynceus/engine';
import sharp from 'sharp';
import { boxArea, boxIntersection, boxIou } from '#engine/image/box.js';
import { type BenchEngine, startEngine } from '../engine.js';
import { type Half, isInHalf } from '../half.js';
import { formatTable, share } from '../table.js';
import { bootstrapInterval } from './bootstrap.js';
import { type LabelledPhoto, readCoco } from './datasets.js';
import { askAll } from './detection.js';
import { labelIdsOf } from './label-ids.js';
import { composeScenes } from './scenes.js';
import { detectorThroughEngine } from './through-engine.js';

const grid = { columns: 4, rows: 3 };
const enlargedPx = 3000;
const detectors = [
  ['coco-fast', ['coco-ssd']],
  ['coco-accurate', ['coco-ssd', 'centernet-coco']],
] as const;

/**
 * Detection in large images, as a whole and in slices: COCO's average precision by size of the objects in scenes of many
 * photographs, and what slices make of objects that fill an enlarged photograph.
 */
export async function runSmallObjects({
  data,
  half,
}: {
  readonly data: string;
  readonly half: Half | undefined;
}): Promise<void> {
  const engine = await startEngine();
  try {
    const photos = (await readCoco(data)).filter(({ name }) => isInHalf(name, half));
    const scenes = await composeScenes(photos, grid);
    console.log(
      `${scenes.length} scenes of ${grid.columns * 640}x${grid.rows * 480}; AP with 95 % intervals over scenes`,
    );
    console.log(await tableOf(engine, scenes));
    console.log(`\n${photos.length} photographs enlarged to ${enlargedPx} pixels`);
    console.log(await tableOf(engine, await Promise.all(photos.map(enlarge))));
  } finally {
    await engine.close();
  }
}

async function tableOf(engine: BenchEngine, images: readonly LabelledPhoto[]): Promise<string> {
  const rows = [
    ['', 'small', 'medium', 'large', 'all', 'precision', 'recall', 'F1 at .4', 'parts', 'ms an image'],
  ];
  for (const [title, ids] of detectors) {
    const models = ids.map((id) => engine.ref(id));
    const labels = await labelIdsOf(models[0]);
    for (const detail of ['normal', 'high'] as const) {
      const ask = detectorThroughEngine(engine.runner, models, labels, { detail });
      const startMs = performance.now();
      const answers = await askAll(images, ask, { minScore: 0, nmsIou: 0.6 });
      const ms = (performance.now() - startMs) / images.length;
      const sent = await askAll(images, ask, { minScore: 0, nmsIou: 0.45 });
      const { precision, recall, f1 } = workingPoint(judge(sent, labels.length), 0.4);
      const { small, medium, large } = areaRanges;
      rows.push([
        `${title}, ${detail}`,
        ...[small, medium, large, undefined].map((range) => figure(answers, labels.length, range)),
        ...[precision, recall, f1].map(share),
        String(countParts(sent)),
        ms.toFixed(0),
      ]);
    }
  }
  return formatTable(rows);
}

function figure(
  answers: readonly EvaluatedImage[],
  classes: number,
  range?: (typeof areaRanges)[keyof typeof areaRanges],
): string {
  const judgement = judge(answers, classes, range);
  const { low, high } = bootstrapInterval(
    answers.length,
    (weights) => averagePrecision(judgement, weights).ap,
    { rounds: 300 },
  );
  return `${share(averagePrecision(judgement).ap)} (${share(low)} to ${share(high)})`;
}

/** Wrong boxes from .4 on that lie in a labelled object of their class of more than twice their area. */
function countParts(answers: readonly EvaluatedImage[]): number {
  let parts = 0;
  for (const { truths, detections } of answers) {
    for (const { classIndex, score, box } of detections) {
      const own = truths.filter((truth) => truth.classIndex === classIndex);
      const isRight = own.some((truth) => boxIou(truth.box, box) >= 0.5);
      const isPart = own.some(
        (truth) =>
          boxArea(box) < boxArea(truth.box) / 2 && boxIntersection(truth.box, box) >= 0.8 * boxArea(box),
      );
      if (score >= 0.4 && !isRight && isPart) parts += 1;
    }
  }
  return parts;
}

async function enlarge(photo: LabelledPhoto): Promise<LabelledPhoto> {
  const bytes = await sharp(photo.bytes)
    .autoOrient()
    .resize({ width: enlargedPx, height: enlargedPx, fit: 'inside' })
    .jpeg({ quality: 92 })
    .toBuffer();
  return { ...photo, bytes };
}
