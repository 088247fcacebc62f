import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { openModel } from '#engine/runtime/process/open-model.js';
import { seededRandom } from '#engine/training/seeded-random.js';
import { installedModel } from '../engine.js';
import { collectChinese, collectLatin, startRows } from './collect.js';
import { fitLetters, type LabelledFeatures } from './fit-letters.js';
import { fontsOf } from './fonts.js';
import { plainRecogniser, recogniserId } from './plain-recogniser.js';
import { openProducts } from './products.js';
import { trainedCharacters } from './random-lines.js';
import { lastLayerOf, openFeatureGraph } from './recogniser-graph.js';

const engine = new URL('../../../packages/engine/', import.meta.url);
const assetPath = 'letters/latin.bin';
const entryPath = new URL(`models/${recogniserId}.json`, engine);

export interface LettersOptions {
  readonly pages: number;
  readonly seed: number;
}

/** What is taken from the biases: texts have fewer accents than the lines that were trained from. */
const rarerBy = 0.9;

/** Pages of Chinese for each page in Latin letters. */
const chineseShare = 0.15;

/**
 * Learns the letters of European languages for the text recogniser from lines that are drawn here, and writes them to the
 * engine's assets and the recogniser's entry of the catalogue. The same seed, fonts and versions give the same letters
 * but for rounding. 1,100 pages take half an hour and 2 GB of memory.
 */
export async function learnLetters({ pages, seed }: LettersOptions): Promise<void> {
  const fonts = await fontsOf('learn');
  const { net, alphabet, recipe } = await plainRecogniser();
  const layer = lastLayerOf(net);
  const letters = trainedCharacters();
  const columns = columnsOf(letters, alphabet);
  const { model: detector, close } = await openModel(await installedModel('ppocr-v4-det'), 'cpu');
  const graph = await openFeatureGraph(net, columns);
  const deps = { detector, graph, layer, alphabet, letters, fonts, random: seededRandom(seed) };
  const strips: LabelledFeatures[] = [];
  for await (const strip of collectLatin(deps, pages)) strips.push(strip);
  console.log(`${strips.length} lines in Latin letters`);
  for await (const strip of collectChinese(deps, Math.ceil(pages * chineseShare))) strips.push(strip);
  console.log(`${strips.length} lines with Chinese`);
  await Promise.all([graph.close(), close()]);
  const products = await openProducts();
  const rows = await fitLetters(strips, startRows(letters, alphabet, layer), {
    epochs: 8,
    learningRate: 0.006,
    batch: 32,
    random: deps.random,
    products,
    onEpoch: (epoch, loss) => console.log(`pass ${epoch + 1}: loss of a line ${loss.toFixed(3)}`),
  });
  await products.close();
  const biases = rows.biases.map((bias) => bias - rarerBy);
  const asset = Buffer.concat([Buffer.from(rows.weights.buffer), Buffer.from(biases.buffer)]);
  await writeFile(new URL(`assets/${assetPath}`, engine), asset);
  const sha256 = createHash('sha256').update(asset).digest('hex');
  await writeEntry(letters, alphabet, { ...recipe, asset: { path: assetPath, sha256 }, columns });
  console.log(
    `${letters.length} letters in ${asset.length} bytes; next: npx biome check --write ${entryPath.pathname}`,
  );
}

/** Letters that the alphabet has keep their column; others come behind it. */
function columnsOf(letters: readonly string[], alphabet: readonly string[]): number[] {
  let next = alphabet.length + 1;
  return letters.map((letter) => {
    const at = alphabet.indexOf(letter);
    return at >= 0 ? at + 1 : next++;
  });
}

async function writeEntry(letters: readonly string[], alphabet: readonly string[], trainedColumns: object) {
  const entry = JSON.parse(await readFile(entryPath, 'utf8')) as {
    alphabet: { append: string[] };
    recipe: { trainedColumns: object };
  };
  entry.alphabet.append = [' ', ...letters.filter((letter) => !alphabet.includes(letter))];
  entry.recipe.trainedColumns = trainedColumns;
  await writeFile(entryPath, `${JSON.stringify(entry, null, 2)}\n`);
}
