import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ModelRef } from '../catalog/manifest.js';
import type { RunnerEvent } from './events.js';
import { runTask, testRunner } from './fixtures/test-tasks.js';
import { installTinyModel } from './fixtures/tiny-model.js';
import type { Analysis } from './job.js';
import { createProcessRunner, type ProcessRunner } from './process-runner.js';

const shared = { queueMax: 50, jobTimeoutMs: 300_000, maxRssBytes: 2 ** 32 };
const interactive = { priority: 'interactive' } as const;
let folder: string;
let green: Buffer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lynceus-models-'));
  green = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#20a020' } })
    .jpeg()
    .toBuffer();
});
afterAll(() => rm(folder, { recursive: true }));

function classify(runner: ProcessRunner, ...models: ModelRef[]): Promise<Analysis> {
  return runner.analyse(
    {
      source: { kind: 'bytes', bytes: green },
      limits: { maxPixels: 1e6 },
      tasks: models.map((model) => ({ task: 'classify', options: { model, topK: 2 } })),
    },
    interactive,
  );
}

describe('models in inference processes', () => {
  test('a real model answers, with its version and the time of each step', async () => {
    const model = await installTinyModel(folder, 'real');
    const runner = createProcessRunner({ ...shared, processes: 1, warm: [model] });
    await runner.start();
    try {
      expect(runner.stats().processes[0]).toMatchObject({ models: 1, state: 'idle' });
      const analysis = await classify(runner, model);
      expect(analysis.image).toEqual({ kind: 'jpeg', width: 60, height: 40 });
      expect(analysis.models).toEqual([{ id: 'real', version: '1' }]);
      expect(Object.keys(analysis.timingsMs)).toEqual(['queue', 'decode', 'classify']);
      const [best, second, ...rest] = analysis.results.classify?.classes ?? [];
      expect(best).toMatchObject({ label: { id: 'colour:green', title: 'green' } });
      expect(best?.score).toBeGreaterThan(0.99);
      expect(second?.score).toBeLessThan(0.01);
      expect(rest).toEqual([]);
    } finally {
      await runner.close();
    }
  });

  test('a model that is absent, of another version, damaged or poisoned fails its own job only', async () => {
    const good = await installTinyModel(folder, 'good');
    const poisoned = await installTinyModel(folder, 'poisoned');
    await writeFile(join(poisoned.dir, 'model.onnx'), Buffer.alloc(5000, 0x0a));
    const cut = await installTinyModel(folder, 'cut');
    await writeFile(join(cut.dir, 'model.onnx'), '');
    const formless = await installTinyModel(folder, 'formless');
    await writeFile(join(formless.dir, 'manifest.json'), '{"id": "formless", "version": "1"}');
    const absent = { id: 'absent', version: '1', dir: join(folder, 'absent') };
    const notes: RunnerEvent[] = [];
    const runner = createProcessRunner({
      ...shared,
      processes: 1,
      warm: [poisoned, good],
      onEvent: (event) => notes.push(event),
    });
    await runner.start();
    try {
      expect(notes).toContainEqual(
        expect.objectContaining({ type: 'warm-up', detail: expect.stringContaining('poisoned') }),
      );
      for (const model of [poisoned, cut, formless, absent, { ...good, version: '2' }]) {
        await expect(classify(runner, model)).rejects.toMatchObject({
          code: 'model-missing',
          message: expect.stringContaining(`model ${model.id} ${model.version} is not usable`),
        });
      }
      expect((await classify(runner, good)).models).toHaveLength(1);
      expect(runner.stats().crashed).toBe(0);
    } finally {
      await runner.close();
    }
  });

  test('the least recently used model is unloaded when there are too many', async () => {
    const models = await Promise.all(['a', 'b', 'c', 'd'].map((id) => installTinyModel(folder, id)));
    const runner = createProcessRunner({ ...shared, processes: 1, maxModels: 2 });
    await runner.start();
    try {
      for (const model of [...models, ...models]) {
        await classify(runner, model);
        expect(runner.stats().processes[0]?.models).toBeLessThanOrEqual(2);
      }
      // The models of one job stay loaded, even above the limit.
      expect((await classify(runner, ...models)).models).toHaveLength(4);
    } finally {
      await runner.close();
    }
  });

  test('a job goes to an idle process that has loaded its model', async () => {
    const model = await installTinyModel(folder, 'held');
    const runner = testRunner({ ...shared, processes: 2 });
    await runner.start();
    try {
      while (runner.stats().processes.some(({ state }) => state === 'starting')) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      // Keeps the first process busy, so that the second one loads the model.
      const rest = runTask(runner, 'rest', { ms: 300 });
      await classify(runner, model);
      await rest;
      for (let round = 0; round < 5; round += 1) await classify(runner, model);
      expect(runner.stats().processes.map(({ models }) => models)).toEqual([0, 1]);
    } finally {
      await runner.close();
    }
  });
});
