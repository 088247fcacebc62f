import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { openModel } from '../runtime/process/open-model.js';
import { latinLanguages, lettersOf } from '../tasks/read-text/languages.js';
import type { LoadedModel, Tensor } from '../tasks/task.js';
import { openCatalog } from './catalog.js';
import { defaultModelsDir } from './models-dir.js';

/** Every installed model for text and faces, compared with outputs of its original for the same image. */

const ids = [
  'ppocr-v4-det',
  'ppocr-v4-rec',
  'ppocr-v2-angle',
  'fr-detect',
  'fr-landmark',
  'fr-feature',
  'fr-liveness',
  'onet',
  'dlib-resnet',
] as const;

const modelsDir =
  process.env['LYNCEUS_MODELS_DIR'] ??
  defaultModelsDir({ env: process.env, dataDir: join(tmpdir(), 'lynceus') });
const catalog = await openCatalog({ modelsDir });
const missing = ids.filter((id) => catalog.installed(id) === undefined);
if (missing.length > 0) {
  if (process.env['CI'] === 'true') throw new Error(`not installed: ${missing.join(', ')}`);
  console.log(`skipped, since these models are not installed: ${missing.join(', ')}`);
}

async function withModel(
  id: (typeof ids)[number],
  use: (model: LoadedModel) => Promise<void>,
): Promise<void> {
  const ref = catalog.installed(id);
  if (ref === undefined) throw new Error(`${id} is not installed`);
  const { model, close } = await openModel(ref, 'cpu');
  await use(model).finally(close);
}

/** The same waves in every image of a batch. */
function waves(height: number, width: number, images = 1): Record<string, Tensor> {
  const one = Uint8Array.from({ length: height * width * 3 }, (_, at) => {
    const [channel, x, y] = [at % 3, Math.floor(at / 3) % width, Math.floor(at / 3 / width)];
    return Math.round(128 + 70 * Math.sin(x * (0.11 + 0.05 * channel)) + 50 * Math.cos(y * 0.17 + channel));
  });
  const data = new Uint8Array(one.length * images);
  for (let index = 0; index < images; index++) data.set(one, index * one.length);
  return { image: { data, dims: [images, height, width, 3] } };
}

const line = 'Lynceus sees 2048';

/** A line of print, black on white. */
async function printed(height: number, turned = 0): Promise<{ feed: Record<string, Tensor>; width: number }> {
  const fonts = dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json'));
  const text = await sharp({
    text: { text: line, font: 'DejaVu Sans', fontfile: join(fonts, 'ttf', 'DejaVuSans.ttf'), dpi: 200 },
  })
    .png()
    .toBuffer();
  const { data, info } = await sharp(text)
    .negate({ alpha: false })
    .flatten({ background: '#ffffff' })
    .resize({ height: Math.round(height * 0.7) })
    .extend({
      top: Math.round(height * 0.15),
      bottom: Math.round(height * 0.15),
      left: 8,
      right: 8,
      background: '#ffffff',
    })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const upright = await sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
    .resize({ width: info.width, height, fit: 'fill' })
    .rotate(turned)
    .raw()
    .toBuffer();
  return { feed: { image: { data: upright, dims: [1, height, info.width, 3] } }, width: info.width };
}

function expectClose(given: Tensor | undefined, expected: readonly number[], within: number): void {
  expected.forEach((number, index) => {
    expect(Math.abs(Number(given?.data[index]) - number)).toBeLessThan(within);
  });
}

const thresholds = (score: number): Record<string, Tensor> => ({
  score_threshold: { data: Float32Array.of(score), dims: [1] },
  iou_threshold: { data: Float32Array.of(0.4), dims: [1] },
});

describe.skipIf(missing.length > 0)('the installed models for text', () => {
  test('locate print', () =>
    withModel('ppocr-v4-det', async (model) => {
      const { feed, width } = await printed(32);
      const line = feed['image'];
      if (line === undefined) throw new Error('no line');
      const page = new Uint8Array(96 * 512 * 3).fill(255);
      const shown = Math.min(width, 480);
      for (let y = 0; y < 32; y++) {
        const row = Uint8Array.from(line.data.subarray(y * width * 3, (y * width + shown) * 3), Number);
        page.set(row, ((y + 32) * 512 + 16) * 3);
      }
      const { map } = await model.run({ image: { data: page, dims: [1, 96, 512, 3] } });
      expect(map?.dims).toEqual([1, 96, 512]);
      const at = (x: number, y: number) => Number(map?.data[y * 512 + x]);
      expect(at(16 + Math.round(shown / 2), 48)).toBeGreaterThan(0.6);
      expect(at(16 + Math.round(shown / 2), 6)).toBeLessThan(0.1);
    }));

  test('read it, with the alphabet of their source', () =>
    withModel('ppocr-v4-rec', async (model) => {
      const { alphabet = [], labels } = model.manifest;
      expect(alphabet[6623]).toBe(' ');
      for (const language of latinLanguages)
        expect(alphabet).toEqual(expect.arrayContaining(lettersOf(language)));
      expect(new Set(alphabet).size).toBe(alphabet.length);
      expect(labels).toEqual([]);
      const { characters, scores } = await model.run({
        ...(await printed(48)).feed,
        allowed: { data: new Float32Array(alphabet.length + 1).fill(1), dims: [alphabet.length + 1] },
      });
      const steps = Array.from<number | bigint, number>(characters?.data ?? [], Number);
      const kept = steps.filter((step, index) => step !== 0 && step !== steps[index - 1]);
      expect(kept.map((step) => alphabet[step - 1]).join('')).toBe(line);
      expect(scores?.dims).toEqual(characters?.dims);
      expect(Math.min(...Array.from(scores?.data ?? [], Number))).toBeGreaterThan(0.4);
    }));

  test('detect upside-down strips', () =>
    withModel('ppocr-v2-angle', async (model) => {
      expect(Number((await model.run((await printed(48)).feed))['upside_down']?.data[0])).toBeLessThan(0.1);
      expect(
        Number((await model.run((await printed(48, 180)).feed))['upside_down']?.data[0]),
      ).toBeGreaterThan(0.9);
      const { upside_down: two } = await model.run(waves(48, 192, 2));
      expectClose(two, [0.42741, 0.42741], 1e-4);
    }));
});

describe.skipIf(missing.length > 0)('the installed models for faces', () => {
  test('find no face in an empty image of any size', () =>
    withModel('fr-detect', async (model) => {
      for (const [height, width] of [
        [240, 320],
        [480, 640],
        [160, 96],
      ] as const) {
        const { boxes, scores } = await model.run({
          image: { data: new Uint8Array(height * width * 3).fill(128), dims: [1, height, width, 3] },
          ...thresholds(0.8),
        });
        expect(boxes?.dims).toEqual([0, 4]);
        expect(scores?.dims).toEqual([0]);
      }
      const every = await model.run({ ...waves(240, 320), ...thresholds(0) });
      for (const side of every['boxes']?.data ?? [])
        expect(Number(side) >= 0 && Number(side) <= 1).toBe(true);
    }));

  test('place 68 points', () =>
    withModel('fr-landmark', async (model) => {
      const { points } = await model.run(waves(64, 64, 3));
      expect(points?.dims).toEqual([3, 68, 2]);
      expectClose(points, [0.15942, 0.27253, 0.13875, 0.38503, 0.13069, 0.49026], 1e-4);
    }));

  test('distinguish a face from other objects', () =>
    withModel('onet', async (model) => {
      const { probability, points } = await model.run(waves(48, 48, 2));
      expect(points?.dims).toEqual([2, 5, 2]);
      expectClose(probability, [0.00044, 0.00044], 1e-4);
      expectClose(points, [0.32713, 0.30879, 0.7401, 0.33562], 1e-3);
    }));

  test.each([
    ['fr-feature', 112, 512, [0.00131, -0.04193, 0.00699, -0.03182, -0.03687, -0.00352], 1e-4],
    // The reference divides by 255 where the net was trained with 256.
    ['dlib-resnet', 150, 128, [-0.10032, 0.09855, 0.0167, -0.02794, -0.02912, -0.03013], 1e-3],
  ] as const)('embed a face by %s', (id, side, length, expected, within) =>
    withModel(id, async (model) => {
      const { embedding } = await model.run(waves(side, side, 2));
      expect(embedding?.dims).toEqual([2, length]);
      const numbers = Array.from(embedding?.data ?? [], Number);
      expect(Math.hypot(...numbers.slice(0, length))).toBeCloseTo(1, 5);
      expect(numbers.slice(length)).toEqual(numbers.slice(0, length));
      expectClose(embedding, expected, within);
      expect(model.manifest.input).toMatchObject({ fit: 'aligned', side });
    }),
  );

  test('estimate liveness', () =>
    withModel('fr-liveness', async (model) => {
      const { live } = await model.run(waves(128, 128, 2));
      expectClose(live, [0.83832, 0.83832], 1e-4);
    }));
});
