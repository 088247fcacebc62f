import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FrameSource } from '../image/image.js';
import { outcomeOf } from './fixtures/test-tasks.js';
import { installTinyModel } from './fixtures/tiny-model.js';
import { createProcessRunner, type ProcessRunner } from './process-runner.js';

let folder: string;
let runner: ProcessRunner;
let frame: FrameSource;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lynceus-frames-'));
  const create = { width: 64, height: 36, channels: 3, background: '#2020a0' } as const;
  frame = { kind: 'frame', path: join(folder, 'frame'), width: 64, height: 36 };
  await writeFile(frame.path, await sharp({ create }).raw().toBuffer());
  runner = createProcessRunner({ processes: 1, queueMax: 10, jobTimeoutMs: 60_000, maxRssBytes: 2 ** 32 });
  await runner.start();
});
afterAll(async () => {
  await runner.close();
  await rm(folder, { recursive: true });
});

const analyse = (source: FrameSource, options: object = {}) =>
  runner.analyse(
    { source, limits: { maxPixels: 10_000 }, tasks: [{ task: 'fingerprint', options: {} }], ...options },
    { priority: 'stream' },
  );

test('a frame is analysed as it is, and says that it is one', async () => {
  const model = await installTinyModel(folder, 'tiny');
  const tasks = [{ task: 'classify', options: { model, topK: 1 } }] as const;
  const { image, results } = await analyse(frame, { tasks });
  expect(image).toEqual({ kind: 'frame', width: 64, height: 36 });
  expect(results.classify?.classes[0]).toMatchObject({ label: { title: 'blue' } });
});

test('a frame is drawn with its marks by a process that is prepared for hostile images', async () => {
  const marks = [{ box: { xMin: 8, yMin: 16, xMax: 40, yMax: 34 }, title: 'i' }];
  const tasks = [{ task: 'draw', options: { maxSidePx: 64, quality: 90, marks } }] as const;
  const { results } = await analyse(frame, { tasks });
  const { data, info } = await sharp(results.draw?.jpeg).raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([64, 36]);
  // White letters.
  expect(Math.max(...data.filter((_, at) => at % 3 === 0))).toBeGreaterThan(200);
});

test.each([
  ['the file of another size', { width: 63 }, 'image-corrupt'],
  ['a negative size', { width: -64, height: -36 }, 'internal'],
  ['half a pixel', { width: 128, height: 18.5 }, 'internal'],
  ['a size that is no number', { width: Number.NaN }, 'internal'],
  ['a size without end', { height: Number.POSITIVE_INFINITY }, 'internal'],
  ['a huge size', { width: 2 ** 40, height: 2 ** 40 }, 'image-too-large'],
  ['no path', { path: 7 as never }, 'internal'],
])('a frame with %s is refused, and its process serves the next', async (_what, change, code) => {
  const pid = runner.stats().processes[0]?.pid;
  expect(await outcomeOf(analyse({ ...frame, ...change }))).toBe(code);
  expect(await outcomeOf(analyse(frame))).toBe('done');
  expect(runner.stats().processes[0]?.pid).toBe(pid);
});
