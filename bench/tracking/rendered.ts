import { boxIou, type ModelRef, type ModelRunner } from '@lynceus/engine';
import sharp from 'sharp';
import { seededRandom } from '../accuracy/bootstrap.js';
import { limits } from '../accuracy/through-engine.js';
import { startEngine } from '../engine.js';
import type { Half } from '../half.js';
import { type CutOut, type FindObjects, readCutOuts } from './cut-outs.js';
import { type Comparison, compareTrackers, type DetectedScene } from './evaluate.js';
import { actorOn, frameTimes, heightAt, type Waypoint } from './paths.js';
import { between } from './random.js';
import { type Actor, boxOf, playScene, type Stage, stageSize } from './world.js';

const framesPerSecond = 4;
const seconds = 20;
/** What the tracker needs of the detector: `lowScore` of `trackerDefaults`. */
const thresholds = { minScore: 0.15, nmsIou: 0.45 };
const movers = 4;
const stayers = 2;

interface Figure {
  readonly actor: Actor;
  readonly cutOut: CutOut;
}

/**
 * Both trackers on rendered frames in which `coco-fast` looks for objects: cut-outs of photographs that walk over blurred ones, and some
 * that stay.
 */
export async function compareOnRendered({
  data,
  half,
  scenes,
}: {
  readonly data: string;
  readonly half: Half | undefined;
  readonly scenes: number;
}): Promise<Comparison[]> {
  const engine = await startEngine();
  try {
    const model = engine.ref('coco-ssd');
    const find: FindObjects = (bytes) => detect(engine.runner, model, bytes);
    const { cutOuts: all, backgrounds } = await readCutOuts(data, half, find);
    const cutOuts = await findable(all, backgrounds, find);
    console.log(
      `${cutOuts.length} objects of photographs: ${[...new Set(cutOuts.map(({ title }) => title))].join(', ')}`,
    );
    const comparisons: Comparison[] = [];
    for (let seed = 1; seed <= scenes; seed++) {
      const random = seededRandom(seed);
      const background = backgrounds[seed % backgrounds.length];
      if (!background) throw new Error(`${data} has no photographs in this half.`);
      const figures = castFigures(cutOuts, random);
      const stage: Stage = {
        actors: figures.map(({ actor }) => actor),
        timesMs: frameTimes(random, { seconds, fps: framesPerSecond }),
      };
      const detections: DetectedScene[number][] = [];
      for (const atMs of stage.timesMs) {
        const frame = await render(figures, background, atMs);
        detections.push(await find(frame));
      }
      comparisons.push(compareTrackers(playScene(stage), detections));
    }
    return comparisons;
  } finally {
    await engine.close();
  }
}

/** Objects that the detector finds by their class when they are alone, small and large: what it does not, no tracker can follow. */
async function findable(
  cutOuts: readonly CutOut[],
  [background]: readonly Buffer[],
  find: FindObjects,
): Promise<CutOut[]> {
  const found: CutOut[] = [];
  for (const cutOut of cutOuts) {
    if (background && (await isFound(cutOut, 200)) && (await isFound(cutOut, 320))) found.push(cutOut);
  }
  return found;

  async function isFound(cutOut: CutOut, heightPx: number): Promise<boolean> {
    const pose = { feet: { x: stageSize.width / 2, y: 500 }, heightPx, aspect: cutOut.aspect };
    const actor = { id: 1, title: cutOut.title, fromMs: 0, toMs: 1, at: () => pose };
    const [best] = await find(await render([{ actor, cutOut }], background ?? Buffer.of(), 0));
    return best?.label.title === cutOut.title && best.score >= 0.4 && boxIou(best.box, boxOf(pose)) >= 0.6;
  }
}

function castFigures(cutOuts: readonly CutOut[], random: () => number): Figure[] {
  return Array.from({ length: movers + stayers }, (_, index) => {
    const cutOut = cutOuts[Math.floor(random() * cutOuts.length)];
    if (!cutOut) throw new Error('No photograph shows a whole object.');
    const kind = {
      id: index + 1,
      title: cutOut.title,
      aspect: cutOut.aspect,
      share: between(random, 0.5, 0.75),
    };
    const path =
      index < movers
        ? walk(random, kind)
        : stay({ x: between(random, 200, stageSize.width - 200), y: between(random, 420, 560) });
    return { actor: actorOn(path, kind), cutOut };
  });
}

/** From one side to the other, with stops. */
function walk(random: () => number, { share, aspect }: { share: number; aspect: number }): Waypoint[] {
  const y = between(random, 450, 710);
  const heightPx = heightAt(y, share);
  const half = (heightPx * aspect) / 2;
  const direction = random() < 0.5 ? 1 : -1;
  const path: Waypoint[] = [
    { atMs: between(random, 0, 5000), x: direction > 0 ? -half : stageSize.width + half, y },
  ];
  for (let last = path[0]; last && path.length < 30; last = path.at(-1)) {
    const ms = between(random, 800, 2500);
    const x = last.x + direction * heightPx * between(random, 0.4, 1) * (ms / 1000);
    path.push({ atMs: last.atMs + ms, x, y });
    if (x < -half || x > stageSize.width + half) break;
    if (random() < 0.2) path.push({ atMs: last.atMs + ms + between(random, 500, 2500), x, y });
  }
  return path;
}

function stay({ x, y }: { x: number; y: number }): Waypoint[] {
  return [
    { atMs: 0, x, y },
    { atMs: seconds * 1000, x, y },
  ];
}

async function render(figures: readonly Figure[], background: Buffer, atMs: number): Promise<Buffer> {
  const present = figures
    .filter(({ actor }) => actor.fromMs <= atMs && atMs < actor.toMs)
    .map(({ actor, cutOut }) => ({ ...actor.at(atMs), cutOut }))
    .sort((a, b) => a.feet.y - b.feet.y);
  const layers = await Promise.all(
    present.map(async ({ cutOut, ...pose }) => {
      const { xMin, yMin, xMax, yMax } = boxOf(pose);
      const input = await sharp(cutOut.png)
        .resize({ width: Math.round(xMax - xMin), height: Math.round(yMax - yMin), fit: 'fill' })
        .png({ compressionLevel: 1 })
        .toBuffer();
      return { input, left: Math.round(xMin), top: Math.round(yMin) };
    }),
  );
  return sharp(background)
    .resize({ ...stageSize, fit: 'fill' })
    .composite(layers)
    .jpeg({ quality: 88 })
    .toBuffer();
}

async function detect(runner: ModelRunner, model: ModelRef, bytes: Buffer): ReturnType<FindObjects> {
  const { results } = await runner.analyse(
    {
      source: { kind: 'bytes', bytes },
      limits,
      tasks: [{ task: 'detect', options: { models: [model], detail: 'normal', ...thresholds } }],
    },
    { priority: 'batch' },
  );
  return results.detect?.detections ?? [];
}
