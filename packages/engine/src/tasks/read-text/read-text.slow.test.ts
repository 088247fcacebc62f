import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { distance } from 'fastest-levenshtein';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCatalog } from '../../catalog/catalog.js';
import { defaultModelsDir } from '../../catalog/models-dir.js';
import { readModel } from '../../onnx/proto/codec.js';
import { createProcessRunner, type ProcessRunner } from '../../runtime/process-runner.js';
import type { ReadTextOptions } from './read-text.js';
import type { TextLine } from './text-lines.js';

const models = await installedModels();
const lines = ['The quick brown fox jumps', 'over 13 lazy dogs.', 'Total: 1,299.50 EUR'];

/** Null, with a warning, where the models are not installed; an error where CI is set. */
async function installedModels(): Promise<ReadTextOptions['models'] | null> {
  const modelsDir =
    process.env['LYNCEUS_MODELS_DIR'] || defaultModelsDir({ env: process.env, dataDir: 'data' });
  const catalog = await openCatalog({ modelsDir });
  const detector = catalog.installed('ppocr-v4-det');
  const recogniser = catalog.installed('ppocr-v4-rec');
  const angle = catalog.installed('ppocr-v2-angle');
  if (detector && recogniser && angle) return { detector, recogniser, angle };
  if (process.env['CI'] === 'true') throw new Error('the models for text are not installed');
  console.warn('skipped: the models for text are not installed (npm run lynceus -- models install)');
  return null;
}

/** Lines of text as an overlay of so many pixels, in a font of ours. */
async function letters(text: string, px: number) {
  const folder = dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json'));
  const fontfile = join(folder, 'ttf', 'DejaVuSans-Bold.ttf');
  return sharp({
    text: { text, fontfile, font: `DejaVu Sans Bold ${px}px`, dpi: 72, spacing: px / 2, rgba: true },
  })
    .png()
    .toBuffer();
}

function page(width: number, height: number, background = '#ffffff') {
  return sharp({ create: { width, height, channels: 3, background } });
}

describe.skipIf(models === null)('reading text', () => {
  test('the detector makes no map that is only enlarged or widened for its last convolutions', async () => {
    const file = await readFile(join(models?.detector.dir ?? '', 'model.onnx'));
    const operators = (readModel(file).graph.node ?? []).map(({ opType }) => opType);
    expect(operators).not.toContain('ConvTranspose');
    expect(operators.filter((operator) => operator === 'DepthToSpace')).toHaveLength(3);
    expect(operators.filter((operator) => operator === 'MatMul')).toHaveLength(1);
  });

  let runner: ProcessRunner;
  beforeAll(async () => {
    runner = createProcessRunner({ processes: 1, queueMax: 10, jobTimeoutMs: 60_000, maxRssBytes: 2 ** 32 });
    await runner.start();
  });
  afterAll(() => runner.close());

  async function read(bytes: Buffer, options: Partial<ReadTextOptions> = {}): Promise<readonly TextLine[]> {
    if (!models) throw new Error('no models');
    const { results } = await runner.analyse(
      {
        source: { kind: 'bytes', bytes },
        limits: { maxPixels: 50_000_000 },
        tasks: [{ task: 'readText', options: { models, ...options } }],
      },
      { priority: 'interactive' },
    );
    return results.readText?.lines ?? [];
  }
  const texts = (found: readonly TextLine[]) => found.map(({ text }) => text);
  const upright = async () =>
    page(480, 320)
      .composite([{ input: await letters(lines.join('\n'), 24), left: 40, top: 80 }])
      .png()
      .toBuffer();

  test('a page is read line by line, each with its polygon and a score', async () => {
    const found = await read(await upright());
    expect(texts(found)).toEqual(lines);
    for (const { score, box, polygon } of found) {
      expect(score).toBeGreaterThan(0.9);
      expect(score).toBeLessThanOrEqual(1);
      expect(box.xMin).toBeGreaterThan(20);
      expect(box.xMax).toBeLessThan(460);
      expect(polygon[0].x).toBeLessThan(polygon[1].x);
      expect(polygon[0].y).toBeLessThan(polygon[3].y);
    }
  });

  test.each([90, 180, 270])('a page turned by %i degrees is read in its own order', async (degrees) => {
    const found = await read(
      await sharp(await upright())
        .rotate(degrees)
        .png()
        .toBuffer(),
    );
    expect(texts(found)).toEqual(lines);
    // The polygon starts at the upper left of the text, wherever that lies now.
    const [first] = found;
    const [upperLeft, upperRight] = first?.polygon ?? [];
    const direction = Math.atan2(
      (upperRight?.y ?? 0) - (upperLeft?.y ?? 0),
      (upperRight?.x ?? 0) - (upperLeft?.x ?? 0),
    );
    expect(Math.cos(direction - (degrees * Math.PI) / 180)).toBeGreaterThan(0.99);
  });

  test('white letters on a colour, tilted a little, are read', async () => {
    const ink = await sharp(await letters(lines.join('\n'), 24))
      .negate({ alpha: false })
      .png()
      .toBuffer();
    const flat = await page(480, 320, '#1f5f8f')
      .composite([{ input: ink, left: 40, top: 80 }])
      .png()
      .toBuffer();
    const found = await read(await sharp(flat).rotate(5, { background: '#1f5f8f' }).png().toBuffer());
    expect(texts(found)).toEqual(lines);
  });

  test('print of 14 pixels in an image of 12 megapixels is read, once, beside large letters', async () => {
    const bytes = await page(4000, 3000, '#d8d4cc')
      .composite([
        { input: await letters('Departures', 200), left: 400, top: 300 },
        { input: await letters(lines.join('\n'), 14), left: 2900, top: 2300 },
      ])
      .jpeg({ quality: 90 })
      .toBuffer();
    // In print this small the recogniser sees the letters of a word and the next one as close as any.
    const withoutSpaces = texts(await read(bytes)).map((text) => text.replaceAll(' ', ''));
    expect(withoutSpaces).toEqual(['Departures', ...lines.map((text) => text.replaceAll(' ', ''))]);
  });

  test('accents of small print are not lost where the accents of the image show its language', async () => {
    const polish = ['Zażółć gęślą jaźń', 'Świętość ćwiczeń łąk', 'Pięć źdźbeł trawy'];
    const bytes = await page(480, 320)
      .composite([{ input: await letters(polish.join('\n'), 18), left: 40, top: 80 }])
      .png()
      .toBuffer();
    expect(texts(await read(bytes))).toEqual(polish);
    expect(texts(await read(bytes, { languages: ['pl'] }))).toEqual(polish);
    // Without the accents of Polish there are none.
    expect(texts(await read(bytes, { languages: ['en'] })).join('')).toMatch(/^[ -~]+$/);
  });

  test('an image without text, a thin one and one of a single pixel give no lines', async () => {
    for (const [width, height] of [
      [640, 480],
      [3000, 3],
      [1, 2000],
      [1, 1],
    ] as const) {
      expect(await read(await page(width, height, '#708090').png().toBuffer())).toEqual([]);
    }
  });

  test('the most prominent lines are read where there are too many', async () => {
    const bytes = await page(480, 320)
      .composite([
        { input: await letters('small print', 16), left: 40, top: 40 },
        { input: await letters('Headline', 60), left: 40, top: 120 },
      ])
      .png()
      .toBuffer();
    expect(texts(await read(bytes))).toEqual(['small print', 'Headline']);
    expect(texts(await read(bytes, { maxLines: 1 }))).toEqual(['Headline']);
    expect(texts(await read(bytes, { maxStripPx: 400 }))).toEqual(['Headline']);
    expect(await read(bytes, { maxStripPx: 0 })).toEqual([]);
    expect(await read(bytes, { minScore: 1.1 })).toEqual([]);
  });

  const drawn = async (text: string, px = 28) =>
    page(640, 320)
      .composite([{ input: await letters(text, px), left: 40, top: 40 }])
      .png()
      .toBuffer();

  test.each([
    ['de', ['Schöne Grüße aus Köln', 'Käse und Öl für fünf €']],
    ['fr', ['Où êtes-vous, garçon', 'à la forêt, près du château']],
    ['es', ['¿Dónde está el baño?', '¡Feliz año, señor Núñez!']],
    ['pl', ['Zażółć gęślą jaźń', 'Łódź, Kraków i Gdańsk']],
    ['cs', ['Příliš žluťoučký kůň', 'Děkujeme za návštěvu']],
    ['da', ['Rødgrød med fløde', 'på Ærø og Læsø']],
  ] as const)(
    'letters of %s are read, by themselves and with their language given',
    async (language, want) => {
      const bytes = await drawn(want.join('\n'));
      const wanted = want.join(' ');
      for (const options of [{}, { languages: [language] }]) {
        // One letter in twelve may differ: a bold accent is a few pixels.
        expect(distance(texts(await read(bytes, options)).join(' '), wanted)).toBeLessThan(
          wanted.length / 12,
        );
      }
    },
  );

  test.each([
    ['Cyrillic', 'Осторожно, двери закрываются'],
    ['Greek', 'Φαρμακείο ανοιχτό καθημερινά'],
    ['Georgian', 'რუსთაველის გამზირი'],
    ['Arabic', 'مفتوح على مدار الساعة'],
    ['Hebrew', 'תחנה מרכזית ירושלים'],
  ])('a line of %s is left out, alone and beside one that is read', async (_, text) => {
    expect(texts(await read(await drawn(text)))).toEqual([]);
    expect(texts(await read(await drawn(`${text}\nBread and butter 24`)))).toEqual(['Bread and butter 24']);
  });

  /** Pages in fonts that a fresh machine does not have: `npm run bench -- other-scripts --write`. */
  const fixture = (name: string) =>
    readFile(new URL(`../../../src/tasks/read-text/fixtures/${name}`, import.meta.url));

  test('lines in Korean, Japanese, Thai, Hindi, Bengali and Tamil are left out, those in Chinese are not', async () => {
    expect(texts(await read(await fixture('scripts.png')))).toEqual([]);
    expect(texts(await read(await fixture('chinese.png')))).toEqual(['北京火车站出口', '请勿吸烟']);
  });

  test('of a line in two scripts what is read remains', async () => {
    expect(texts(await read(await drawn('Sony дешёвые наушники')))).toEqual(['Sony']);
  });

  test('letters one above the other are one word; a column of digits is not', async () => {
    const stacked = async (word: string) => {
      const overlays = await Promise.all(
        [...word].map(async (letter, row) => ({
          input: await letters(letter, 40),
          left: 100,
          top: 30 + row * 58,
        })),
      );
      return page(400, 480).composite(overlays).png().toBuffer();
    };
    const [sign, ...others] = await read(await stacked('HOTEL'));
    expect(sign?.text).toBe('HOTEL');
    expect(others).toEqual([]);
    expect((sign?.box.yMax ?? 0) - (sign?.box.yMin ?? 0)).toBeGreaterThan(200);
    expect(texts(await read(await stacked('24689'))).every((text) => text.length === 1)).toBe(true);
  });

  /** The ink of a text and nothing around it. */
  const crop = async (text: string, px: number) =>
    sharp(await letters(text, px))
      .flatten({ background: 'white' })
      .png()
      .toBuffer();

  test.each(['EXIT', 'PUSH', '12:45', 'TAXI', 'Lynx'])(
    'a crop that ends with the letters of %s is read whole',
    async (text) => {
      for (const px of [24, 60]) expect(texts(await read(await crop(text, px)))).toEqual([text]);
    },
  );

  test('words that the detector finds apart double no letter', async () => {
    for (const text of ['MW 123', 'OPEN 24']) {
      expect(texts(await read(await drawn(text, 80))).join(' ')).toBe(text);
    }
  });

  test('no lone character that is wrong scores more than .5', async () => {
    for (const character of '247CNORVWZbdnpquw') {
      const bytes = await page(320, 240)
        .composite([{ input: await letters(character, 64), left: 130, top: 90 }])
        .png()
        .toBuffer();
      const wrong = (await read(bytes)).filter(({ text, score }) => text !== character && score > 0.5);
      expect(wrong.map(({ text, score }) => `${character} as ${text}, ${score}`)).toEqual([]);
    }
  });

  test('white letters on transparency are read', async () => {
    const ink = await sharp(await letters('Hello World', 48))
      .negate({ alpha: false })
      .extend({ top: 30, bottom: 30, left: 30, right: 30, background: '#00000000' })
      .png()
      .toBuffer();
    expect(texts(await read(ink)).join(' ')).toBe('Hello World');
  });
});
