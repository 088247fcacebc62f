import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { openModel } from '#engine/runtime/process/open-model.js';
import { seededRandom } from '#engine/training/seeded-random.js';
import { installedModel } from '../engine.js';
import { fontsOf } from '../letters/fonts.js';
import { plainRecogniser, recogniserId } from '../letters/plain-recogniser.js';
import { lastLayerOf, openFeatureGraph, type StripFeatures } from '../letters/recogniser-graph.js';
import { collectAll, hanOf, type Segment } from './collect.js';
import { fitNet, type LabelledSteps } from './fit-net.js';
import { checkScriptFonts } from './scripts.js';

const engine = new URL('../../../packages/engine/', import.meta.url);
const assetPath = 'letters/known-scripts.bin';
const entryPath = new URL(`models/${recogniserId}.json`, engine);

export interface LearnOptions {
  /** Of each script. */
  readonly lines: number;
  readonly seed: number;
}

const hidden = 32;

/**
 * Learns from the features of the text recogniser whether it reads the script of a step, from lines that are drawn here, and writes
 * the net to the engine's assets and the recogniser's entry of the catalogue. The same seed, fonts and versions give the same net but for
 * rounding.
 */
export async function learnKnownScripts({ lines, seed }: LearnOptions): Promise<void> {
  await checkScriptFonts();
  const { net, alphabet } = await plainRecogniser();
  const { dims } = lastLayerOf(net);
  const { model: detector, close } = await openModel(await installedModel('ppocr-v4-det'), 'cpu');
  const graph = await openFeatureGraph(net, []);
  const deps = { detector, set: 'learn', fonts: await fontsOf('learn'), han: hanOf(alphabet), seed } as const;
  const segments: LabelledSteps[] = [];
  const counts = new Map<string, number>();
  for await (const { kind, tensor, segments: parts } of collectAll(deps, lines)) {
    segments.push(...cut(await graph.run(tensor), dims, parts));
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    if (count % lines === 0) console.log(`${kind}: ${count} lines`);
  }
  await Promise.all([graph.close(), close()]);
  const fitted = fitNet(segments, {
    ...{ dims, hidden, random: seededRandom(seed) },
    ...{ epochs: 14, learningRate: 0.004, batch: 64, decay: 3e-5 },
  });
  const asset = Buffer.from(fitted.numbers.buffer);
  await writeFile(new URL(`assets/${assetPath}`, engine), asset);
  const sha256 = createHash('sha256').update(asset).digest('hex');
  const entry = JSON.parse(await readFile(entryPath, 'utf8')) as { recipe: { readability: object } };
  entry.recipe.readability = { ...entry.recipe.readability, asset: { path: assetPath, sha256 }, hidden };
  await writeFile(entryPath, `${JSON.stringify(entry, null, 2)}\n`);
  console.log(
    `${segments.length} parts of lines, ${asset.length} bytes; next: npx biome check --write ${entryPath.pathname}`,
  );
}

/** The steps of each part of a line. */
function cut({ steps, features }: StripFeatures, dims: number, parts: readonly Segment[]): LabelledSteps[] {
  return parts.flatMap(({ from, to, isReadable }) => {
    const [start, end] = [Math.max(0, Math.round(from * steps)), Math.min(steps, Math.round(to * steps))];
    return end - start < 2 ? [] : [{ features: features.slice(start * dims, end * dims), isReadable }];
  });
}
