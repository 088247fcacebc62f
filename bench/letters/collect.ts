import { plainLetters } from '#engine/tasks/read-text/languages.js';
import type { LoadedModel } from '#engine/tasks/task.js';
import { drawPage, randomStyle } from './draw-page.js';
import type { LabelledFeatures, LetterRows } from './fit-letters.js';
import { type Fonts, styles } from './fonts.js';
import { languages, pick, randomCharacters, randomLine } from './random-lines.js';
import type { FeatureGraph, LastLayer } from './recogniser-graph.js';
import { stripsOf } from './strips.js';

export interface CollectDeps {
  readonly detector: LoadedModel;
  readonly graph: FeatureGraph;
  readonly layer: LastLayer;
  /** The recogniser's own, without what is trained. */
  readonly alphabet: readonly string[];
  readonly letters: readonly string[];
  readonly fonts: Fonts;
  readonly random: () => number;
}

/** Smallest letters of Chinese, in pixels: below, most characters cannot be told apart. */
const minChinesePx = 14;

/** Lines of random words in all languages, on this many pages. */
export async function* collectLatin(deps: CollectDeps, pages: number): AsyncGenerator<LabelledFeatures> {
  const { random, fonts } = deps;
  for (let page = 0; page < pages; page += 1) {
    const nextLine = (longest: number) => ({
      text: randomLine(
        pick(languages, random),
        Math.max(6, Math.floor(longest * (0.4 + 0.6 * random()))),
        random,
      ),
      font: `${pick(fonts.latin, random)} ${pick(styles, random)}`.trim(),
    });
    yield* labelled(deps, await drawPage(randomStyle(random), nextLine, random));
  }
}

/** Lines of random Chinese: what no trained letter may be seen in. */
export async function* collectChinese(deps: CollectDeps, pages: number): AsyncGenerator<LabelledFeatures> {
  const { random, fonts } = deps;
  const han = deps.alphabet.filter((character) => /^\p{Script=Han}$/u.test(character));
  for (let page = 0; page < pages; page += 1) {
    const style = randomStyle(random);
    const nextLine = (longest: number) => ({
      text: randomCharacters(han, 4 + Math.floor(random() * Math.max(1, longest * 0.55 - 4)), random),
      font: pick(fonts.chinese, random),
    });
    const large = { ...style, sizePx: Math.max(minChinesePx, style.sizePx) };
    yield* labelled(deps, await drawPage(large, nextLine, random));
  }
}

async function* labelled(
  { detector, graph, layer, alphabet, letters, random }: CollectDeps,
  page: Parameters<typeof stripsOf>[0],
): AsyncGenerator<LabelledFeatures> {
  for (const { line, tensor } of await stripsOf(page, detector, random)) {
    const characters = [...line.text.replace(/\s+/gu, ' ')];
    const trained = Int32Array.from(characters, (character) => letters.indexOf(character));
    const label = Int32Array.from(characters, (character, at) =>
      trained[at] === -1 ? alphabet.indexOf(character) + 1 : layer.columns + (trained[at] ?? 0),
    );
    const unknown = characters.filter((_, at) => label[at] === 0);
    if (unknown.length > 0) throw new Error(`the recogniser cannot write ${unknown.join(' ')}`);
    const features = await graph.run(tensor);
    yield { ...features, trained, label, logits: logitsOf(features, label, layer) };
  }
}

/** [steps, 1 + label]: logits of the blank and of the label's characters, 0 for those that are trained. */
function logitsOf(
  { steps, features }: { readonly steps: number; readonly features: Float32Array },
  label: Int32Array,
  { dims, columns, weights, biases }: LastLayer,
): Float32Array {
  const wanted = [0, ...label];
  const logits = new Float32Array(steps * wanted.length);
  wanted.forEach((column, place) => {
    if (column >= columns) return;
    for (let step = 0; step < steps; step += 1) {
      let logit = biases[column] ?? 0;
      for (let dim = 0; dim < dims; dim += 1) {
        logit += (weights[dim * columns + column] ?? 0) * (features[step * dims + dim] ?? 0);
      }
      logits[step * wanted.length + place] = logit;
    }
  });
  return logits;
}

/** How much less probable a trained letter begins than the plain one. */
const startBelow = 1.5;

const signs: Readonly<Record<string, string>> = { '€': 'C', '„': '"', '«': '《' };

/** Every trained character as the plain one that it looks like, less probable. */
export function startRows(
  letters: readonly string[],
  alphabet: readonly string[],
  { dims, columns, weights, biases }: LastLayer,
): LetterRows {
  const rows = { weights: new Float32Array(letters.length * dims), biases: new Float32Array(letters.length) };
  letters.forEach((letter, row) => {
    const plain = signs[letter] ?? plainLetters(letter).slice(0, 1);
    const column = alphabet.indexOf(plain) + 1;
    if (column === 0) throw new Error(`the recogniser cannot write ${plain}, which ${letter} begins as`);
    rows.biases[row] = (biases[column] ?? 0) - startBelow;
    for (let dim = 0; dim < dims; dim += 1)
      rows.weights[row * dims + dim] = weights[dim * columns + column] ?? 0;
  });
  return rows;
}
