import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ClassifiedImage,
  type ClassifierTraining,
  createProcessRunner,
  createTrainer,
  type ModelRef,
} from '@lynceus/engine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installedModel } from '#bench/engine.js';
import { haveDefaultModels } from './support/default-models.js';
import { drawShape, shapes } from './support/drawn-shapes.js';
import { runAlone } from './support/run-alone.js';

describe.skipIf(!(await haveDefaultModels()))('a classifier trained on the real backbone', () => {
  let dir: string;
  let images: ClassifiedImage[];
  let backbone: ModelRef;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'lynceus-train-'));
    backbone = await installedModel('inception-v3');
    images = [];
    for (const [label, shape] of shapes.entries()) {
      for (let count = 0; count < 9; count++) {
        const bytes = await drawShape(shape, label * 100 + count);
        const id = `${shape}-${count}`;
        const path = join(dir, id);
        await writeFile(path, bytes);
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        images.push({ id, path, sha256, split: count < 6 ? 'train' : 'held-out', labels: [label] });
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
      images,
      multiLabel: false,
      noneOfThese: false,
    };
    const { model, report } = await createTrainer({ maxRssBytes: 2 ** 31, nice: 0 }).train(job);
    expect(report.figures.balancedAccuracy).toBeGreaterThanOrEqual(8 / 9);

    const path = images.at(-1)?.path ?? '';
    const ours = await classify(model, path);
    const alone = await runAlone(join(model.dir, 'model.onnx'), await readFile(path));
    for (const [index, title] of shapes.entries()) {
      expect(Math.abs((alone[index] ?? 1) - (ours.get(title) ?? 0))).toBeLessThan(1e-4);
    }
  }, 300_000);
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
