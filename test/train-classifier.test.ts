import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ClassifiedPicture,
  type ClassifierTraining,
  createProcessRunner,
  createTrainer,
  type ModelRef,
} from '@lynceus/engine';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installedModel } from '#bench/engine.js';
import { haveDefaultModels } from './default-models.js';

const shapes = ['circle', 'square', 'star'] as const;
const width = 480;
const height = 360;

/** A shape of some size and colour somewhere near the middle of a coloured ground. */
function draw(shape: (typeof shapes)[number], count: number): Promise<Buffer> {
  const turn = (factor: number) => (count * factor) % 1;
  const size = 60 + 60 * turn(0.37);
  const x = width * (0.4 + 0.2 * turn(0.61));
  const y = height * (0.4 + 0.2 * turn(0.23));
  const colour = (shift: number, light: number) => `hsl(${Math.round(360 * turn(shift))} 60% ${light}%)`;
  const points = Array.from({ length: 10 }, (_, corner) => {
    const reach = corner % 2 === 0 ? size : size * 0.4;
    const angle = (corner * Math.PI) / 5;
    return `${x + reach * Math.sin(angle)},${y - reach * Math.cos(angle)}`;
  }).join(' ');
  const body = {
    circle: `<circle cx="${x}" cy="${y}" r="${size}"/>`,
    square: `<rect x="${x - size}" y="${y - size}" width="${2 * size}" height="${2 * size}"/>`,
    star: `<polygon points="${points}"/>`,
  }[shape];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${colour(0.29, 80)}"/><g fill="${colour(0.83, 35)}">${body}</g></svg>`;
  return sharp(Buffer.from(svg)).removeAlpha().png().toBuffer();
}

describe.skipIf(!(await haveDefaultModels()))('a classifier trained on the real backbone', () => {
  let dir: string;
  let pictures: ClassifiedPicture[];
  let backbone: ModelRef;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'lynceus-train-'));
    backbone = await installedModel('inception-v3');
    pictures = [];
    for (const [label, shape] of shapes.entries()) {
      for (let count = 0; count < 9; count++) {
        const bytes = await draw(shape, label * 100 + count);
        const id = `${shape}-${count}`;
        const path = join(dir, id);
        await writeFile(path, bytes);
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        pictures.push({ id, path, sha256, split: count < 6 ? 'train' : 'held-out', labels: [label] });
      }
    }
  });
  afterAll(() => rm(dir, { recursive: true }));

  test('learns shapes from six drawings each, and its file answers the same in ONNX Runtime alone', async () => {
    const job: ClassifierTraining = {
      kind: 'classification',
      title: 'Shapes',
      labels: shapes.map((title) => ({ id: title, title })),
      backbone,
      limits: { maxPixels: 1_000_000 },
      cacheDir: join(dir, 'cache'),
      outDir: join(dir, 'out'),
      seed: 1,
      pictures,
      multiLabel: false,
      noneOfThese: false,
    };
    const { model, report } = await createTrainer({ maxRssBytes: 2 ** 31, nice: 0 }).train(job);
    expect(report.figures.balancedAccuracy).toBeGreaterThanOrEqual(8 / 9);

    const path = pictures.at(-1)?.path ?? '';
    const ours = await classify(model, path);
    const alone = await runAlone(join(model.dir, 'model.onnx'), path);
    for (const [index, title] of shapes.entries()) {
      expect(Math.abs((alone[index] ?? 1) - (ours.get(title) ?? 0))).toBeLessThan(1e-4);
    }
  }, 120_000);
});

async function classify(model: ModelRef, path: string): Promise<Map<string, number>> {
  const runner = createProcessRunner({
    processes: 1,
    queueMax: 1,
    jobTimeoutMs: 60_000,
    maxRssBytes: 2 ** 31,
  });
  await runner.start();
  try {
    const { results } = await runner.analyse(
      {
        source: { kind: 'file', path },
        limits: { maxPixels: 1_000_000 },
        tasks: [{ task: 'classify', options: { model, topK: 3 } }],
      },
      { priority: 'interactive' },
    );
    return new Map(results.classify?.classes.map(({ label, score }) => [label.title, score]));
  } finally {
    await runner.close();
  }
}

/** As somebody does it who has nothing but the file and what its metadata say of preprocessing. */
async function runAlone(file: string, path: string): Promise<number[]> {
  const side = Math.round(0.875 * height);
  const region = {
    left: Math.round((width - side) / 2),
    top: Math.round((height - side) / 2),
    width: side,
    height: side,
  };
  const image = sharp(await readFile(path))
    .extract(region)
    .resize(299, 299, { fit: 'fill', kernel: 'lanczos3' });
  const data = new Uint8Array(await image.raw().toBuffer());
  const session = await InferenceSession.create(file);
  const { probabilities } = await session.run({ image: new Tensor('uint8', data, [1, 299, 299, 3]) });
  await session.release();
  return Array.from(probabilities?.data ?? [], Number);
}
