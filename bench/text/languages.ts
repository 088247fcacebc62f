import { type ModelRef, seededRandom } from '@lynceus/engine';
import { readManifest } from '#engine/runtime/process/open-model.js';
import { type LatinLanguage, latinLanguages } from '#engine/tasks/read-text/languages.js';
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
 */
export async function runTextLanguages(half: FontSet): Promise<void> {
  const fonts = await fontsOf(half);
  const engine = await startEngine();
  try {
    const open = engineReader(engine);
    const rows = [['language', 'characters', 'all languages', 'its own', 'all, lines alone']];
    const all = [noErrors(), noErrors(), noErrors()];
    for (const language of latinLanguages) {
      const readers = [open, engineReader(engine, [language])] as const;
      const errors = await measureLanguage(language, half, fonts.latin, readers);
      for (const [at, sums] of errors.entries()) merge(all[at], sums);
      rows.push(row(language, errors));
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
): Promise<CharacterErrors[]> {
  const random = seededRandom(language.charCodeAt(0) * 256 + language.charCodeAt(1));
  const lines = sentences[language].filter((_, index) => index % 2 === (half === 'tune' ? 0 : 1));
  const [together, given, alone] = [noErrors(), noErrors(), noErrors()];
  for (const sizePx of sizesPx) {
    for (let page = 0; page < pagesPerSize; page += 1) {
      const font = pick(fonts, random);
      const { bytes, wanted } = await drawn(lines, font, sizePx);
      addErrors(together, wanted, plainQuotes(await open(bytes)));
      addErrors(given, wanted, plainQuotes(await own(bytes)));
      const line = pick(lines, random);
      const single = await drawn([line], font, sizePx);
      addErrors(alone, single.wanted, plainQuotes(await open(single.bytes)));
    }
  }
  return [together, given, alone];
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

function merge(into: CharacterErrors | undefined, sums: CharacterErrors): void {
  if (into === undefined) return;
  into.edits += sums.edits;
  into.editsWithoutSpaces += sums.editsWithoutSpaces;
  into.editsWithoutUmlauts += sums.editsWithoutUmlauts;
  into.characters += sums.characters;
}

function row(name: string, errors: readonly CharacterErrors[]): string[] {
  return [
    name,
    String(errors[0]?.characters ?? 0),
    ...errors.map(
      (sums) => `${share(sums.edits / sums.characters)}, ${share(sums.editsWithoutSpaces / sums.characters)}`,
    ),
  ];
}
