import { type ModelRef, seededRandom } from '@lynceus/engine';
import { readManifest } from '#engine/runtime/process/open-model.js';
import { type LatinLanguage, latinLanguages } from '#engine/tasks/read-text/languages.js';
import { bootstrapInterval } from '../accuracy/bootstrap.js';
import { startEngine } from '../engine.js';
import { drawPage, plainStyle } from '../letters/draw-page.js';
import { type FontSet, fontsOf } from '../letters/fonts.js';
import { pick, randomCharacters } from '../letters/random-lines.js';
import { sentences } from '../letters/sentences.js';
import { formatTable, share } from '../table.js';
import { addErrors, type CharacterErrors, noErrors } from './character-error.js';
import { sizesPx } from './draw.js';
import { engineReader, type Reader } from './readers.js';

/** Pages of a language in one size, each in another font. */
const pagesPerSize = 3;
const chineseCharacters = 2000;

/**
 * Character error rates by language, of six lines a page in fonts that the letters were not trained from, black on white, 12 to
 * 48 pixels: with all languages open, and with the language given. `report`: sentences and fonts that nothing was chosen on.
 * Intervals of 95 % are over fonts: pages in one font share its faults.
 */
export async function runTextLanguages(half: FontSet): Promise<void> {
  const fonts = await fontsOf(half);
  const engine = await startEngine();
  try {
    const open = engineReader(engine);
    const rows = [['language', 'characters', 'all languages', 'its own', 'all, lines alone']];
    const all: Page[][] = [[], [], []];
    for (const language of latinLanguages) {
      const readers = [open, engineReader(engine, [language])] as const;
      const pages = await measureLanguage(language, half, fonts.latin, readers);
      for (const [at, some] of pages.entries()) all[at]?.push(...some);
      rows.push(row(language, pages));
    }
    rows.push(row('all', all));
    rows.push(await measureChinese(open, engine.ref('ppocr-v4-rec'), fonts.chinese));
    console.log(formatTable(rows));
  } finally {
    await engine.close();
  }
}

async function measureLanguage(
  language: LatinLanguage,
  half: FontSet,
  fonts: readonly string[],
  [open, own]: readonly [Reader, Reader],
): Promise<Page[][]> {
  const random = seededRandom(language.charCodeAt(0) * 256 + language.charCodeAt(1));
  const lines = sentences[language].filter((_, index) => index % 2 === (half === 'tune' ? 0 : 1));
  const [together, given, alone]: [Page[], Page[], Page[]] = [[], [], []];
  for (const sizePx of sizesPx) {
    for (let page = 0; page < pagesPerSize; page += 1) {
      const font = pick(fonts, random);
      const { bytes, wanted } = await drawn(lines, font, sizePx);
      together.push(judged(font, wanted, await open(bytes)));
      given.push(judged(font, wanted, await own(bytes)));
      const line = pick(lines, random);
      const single = await drawn([line], font, sizePx);
      alone.push(judged(font, single.wanted, await open(single.bytes)));
    }
  }
  return [together, given, alone];
}

interface Page {
  readonly font: string;
  readonly errors: CharacterErrors;
}

function judged(font: string, wanted: string, read: string): Page {
  const errors = noErrors();
  addErrors(errors, wanted, plainQuotes(read));
  return { font, errors };
}

/** Random characters of the recogniser's alphabet. */
async function measureChinese(read: Reader, ref: ModelRef, fonts: readonly string[]): Promise<string[]> {
  const random = seededRandom(1);
  const { alphabet = [] } = await readManifest(ref);
  const known = alphabet.filter((character) => /^\p{Script=Han}$/u.test(character));
  const sums = noErrors();
  while (sums.characters < chineseCharacters) {
    const lines = Array.from({ length: 6 }, () => randomCharacters(known, 8, random));
    const { bytes, wanted } = await drawn(lines, pick(fonts, random), 32);
    addErrors(sums, wanted, await read(bytes));
  }
  return ['Chinese', String(sums.characters), share(sums.editsWithoutSpaces / sums.characters), '', ''];
}

async function drawn(lines: readonly string[], font: string, sizePx: number) {
  let next = 0;
  const style = { ...plainStyle, sizePx };
  const nextLine = () => {
    const text = lines[next++];
    return text === undefined ? null : { text, font };
  };
  const { bytes, lines: placed } = await drawPage(style, nextLine, () => 0.35);
  return { bytes, wanted: placed.map(({ text }) => text).join(' ') };
}

/** A typographic apostrophe is the plain one, as fonts draw both. */
function plainQuotes(text: string): string {
  return text.replaceAll('’', "'");
}

function row(name: string, columns: readonly (readonly Page[])[]): string[] {
  const characters = columns[0]?.reduce((total, { errors }) => total + errors.characters, 0) ?? 0;
  return [name, String(characters), ...columns.map(shown)];
}

function shown(pages: readonly Page[]): string {
  const fonts = [...new Set(pages.map(({ font }) => font))];
  const rate = (weights?: readonly number[]) => {
    let [edits, characters] = [0, 0];
    for (const { font, errors } of pages) {
      const weight = weights?.[fonts.indexOf(font)] ?? 1;
      edits += weight * errors.edits;
      characters += weight * errors.characters;
    }
    return edits / characters;
  };
  const { low, high } = bootstrapInterval(fonts.length, rate);
  return `${share(rate())} (${share(low)} to ${share(high)})`;
}
