import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelRef } from '../../catalog/manifest.js';
import { readModel } from '../../onnx/proto/codec.js';
import { createProcessRunner } from '../../runtime/process-runner.js';
import type { ClassifyResult } from '../../tasks/classify/classify.js';
import { drawImage } from '../fixtures/drawn-images.js';
import { installTinyBackbone } from '../fixtures/tiny-backbone.js';
import { createTrainer } from '../trainer.js';
import type { ClassifiedImage, ClassifierTraining } from '../training-job.js';
import { ClassifierReport } from './classifier-report.js';

const trainer = createTrainer({ maxRssBytes: 2 ** 31, nice: 0, onFault: console.error });
let dir: string;
let backbone: ModelRef;
let images: ClassifiedImage[];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-classifier-'));
  backbone = await installTinyBackbone(dir);
  images = [];
  for (const label of [0, 1, 2]) {
    for (let count = 0; count < 8; count++) {
      const split = count < 6 ? 'train' : 'held-out';
      images.push(await drawImage(dir, `colour-${label}-${count}`, [label], split));
    }
  }
});
afterAll(() => rm(dir, { recursive: true }));

const titles = ['red', 'green', 'blue'];
const jobOf = (name: string, changes: Partial<ClassifierTraining> = {}): ClassifierTraining => ({
  kind: 'classification',
  title: 'Colours',
  labels: titles.map((title) => ({ id: `colour:${title}`, title })),
  backbone,
  limits: { maxPixels: 1_000_000 },
  cacheDir: join(dir, 'cache'),
  outDir: join(dir, name),
  seed: 1,
  images,
  multiLabel: false,
  noneOfThese: false,
  ...changes,
});

async function classifyWith(model: ModelRef, path: string) {
  return (await analysisWith(model, path)).classes;
}

async function analysisWith(model: ModelRef, path: string): Promise<ClassifyResult> {
  const runner = createProcessRunner({
    processes: 1,
    queueMax: 9,
    jobTimeoutMs: 300_000,
    maxRssBytes: 2 ** 31,
  });
  await runner.start();
  try {
    const analysis = await runner.analyse(
      {
        source: { kind: 'file', path },
        limits: { maxPixels: 1_000_000 },
        tasks: [{ task: 'classify', options: { model, topK: 9 } }],
      },
      { priority: 'interactive' },
    );
    return analysis.results.classify ?? { classes: [] };
  } finally {
    await runner.close();
  }
}

test('the result is an installed model with the accuracy of its report', async () => {
  const { model, report } = await trainer.train(jobOf('whole'));
  expect((await readdir(model.dir)).sort()).toEqual(['manifest.json', 'model.onnx', 'report.json']);
  expect(Value.Check(ClassifierReport, report)).toBe(true);
  expect(JSON.parse(await readFile(join(model.dir, 'report.json'), 'utf8'))).toEqual(report);
  expect(report.measuredOn).toBe('held-out');
  expect(report.figures).toMatchObject({ images: 6, accuracy: 1, balancedAccuracy: 1 });
  expect(report.verified.largestDifference).toBeLessThan(1e-4);
  const fresh = await drawImage(dir, 'fresh', [2]);
  const [best] = await classifyWith(model, fresh.path);
  expect(best?.label).toEqual({ id: 'colour:blue', title: 'blue' });
  expect(best?.score).toBeGreaterThan(0.6);
});

test('what is written is trained on the held-out images too, and the figures are of what is not', async () => {
  const training = images.filter(({ split }) => split === 'train');
  const { model, report } = await trainer.train(jobOf('last'));
  const { model: without, report: known } = await trainer.train(jobOf('without', { images: training }));
  expect(report.lastFit).toEqual({ images: 24 });
  expect(report.images).toMatchObject({ train: 18, heldOut: 6 });
  expect(report.crossValidated).toEqual(known.crossValidated);
  expect(model.version).not.toBe(without.version);
});

test('an image of something else is unlike the training images, one of a class is not', async () => {
  const reds = images.filter(({ labels }) => labels[0] === 0);
  const greens = images.filter(({ labels }) => labels[0] === 1);
  const labels = titles.slice(0, 2).map((title) => ({ id: title, title }));
  const { model, report } = await trainer.train(jobOf('unlike', { images: [...reds, ...greens], labels }));
  const strange = await analysisWith(model, (await drawImage(dir, 'strange', [2])).path);
  const usual = await analysisWith(model, (await drawImage(dir, 'usual', [0])).path);
  expect(strange.unlikeTraining).toBeGreaterThan(0.5);
  expect(usual.unlikeTraining).toBeLessThan(0.5);
  expect(report.unlikeTraining?.heldOut.images).toBe(4);
  expect(report.unlikeTraining?.shipped).toEqual({ images: 0, share: null });
});

test('the file has its labels and its input in its metadata', async () => {
  const { model } = await trainer.train(jobOf('metadata'));
  const { metadataProps = [] } = readModel(await readFile(join(model.dir, 'model.onnx')));
  const metadata = new Map(metadataProps.map(({ key, value }) => [key, value]));
  expect(JSON.parse(metadata.get('labels') ?? '')).toEqual(titles);
  expect(metadata.get('preprocessing')).toContain('centre square of 0.875');
});

test('the same images and seed give the same model to the byte', async () => {
  const [one, two] = [await trainer.train(jobOf('one')), await trainer.train(jobOf('two'))];
  expect(one.model.version).toBe(two.model.version);
  const bytes = await Promise.all([one, two].map(({ model }) => readFile(join(model.dir, 'model.onnx'))));
  expect(bytes[0]?.equals(bytes[1] ?? Buffer.alloc(0))).toBe(true);
});

test('features are kept from run to run, and a damaged one is made again', async () => {
  const cacheDir = join(dir, 'own-cache');
  const first = await trainer.train(jobOf('kept', { cacheDir }));
  const sha256 = images[0]?.sha256 ?? '';
  const kept = join(cacheDir, 'tiny-backbone@1', 'pooled-classes', sha256.slice(0, 2), sha256);
  const before = await stat(kept);
  const second = await trainer.train(jobOf('kept', { cacheDir }));
  expect((await stat(kept)).mtimeMs).toBe(before.mtimeMs);
  await writeFile(kept, Buffer.alloc(before.size, 7));
  const third = await trainer.train(jobOf('kept', { cacheDir }));
  expect([second, third].map(({ model }) => model.version)).toEqual(Array(2).fill(first.model.version));
});

test('a training run that is killed during feature extraction resumes with the cached features', async () => {
  const cacheDir = join(dir, 'cut-cache');
  const cancel = new AbortController();
  const cut = trainer.train(jobOf('cut', { cacheDir }), {
    signal: cancel.signal,
    onProgress: ({ stage }) => stage === 'features' && cancel.abort(),
  });
  await expect(cut).rejects.toMatchObject({ code: 'cancelled' });
  expect(await readdir(join(dir, 'cut'))).toEqual([]);
  const resumed = await trainer.train(jobOf('cut', { cacheDir }));
  const whole = await trainer.train(jobOf('uncut'));
  expect(resumed.model.version).toBe(whole.model.version);
});

test('images that cannot be opened are left out and listed', async () => {
  const path = join(dir, 'broken.png');
  await writeFile(path, 'no image');
  const broken = { id: 'broken', path, sha256: 'b'.repeat(64), split: 'train' as const, labels: [0] };
  const { report } = await trainer.train(jobOf('broken', { images: [...images, broken] }));
  expect(report.images.refused).toEqual([{ id: 'broken', reason: expect.any(String) }]);
  expect(report.warnings.join()).toContain('1 images were left out');
});

test('without held-out images the figures are cross-validated and say so', async () => {
  const training = images.map((image) => ({ ...image, split: 'train' as const }));
  const { report } = await trainer.train(jobOf('crossed', { images: training }));
  expect(report.measuredOn).toBe('cross-validation');
  expect(report.figures.images).toBe(24);
  expect(report.warnings.join()).toContain('cross-validated');
});

test('an image that is mislabelled is the first of the mistakes', async () => {
  const wrong = await drawImage(dir, 'wrong', [2], 'held-out');
  const { report } = await trainer.train(
    jobOf('mistake', { images: [...images, { ...wrong, labels: [0] }] }),
  );
  expect(report.mistakes[0]).toMatchObject({ image: 'wrong', shown: [0], answered: [2] });
  expect(report.figures.confusion?.[0]).toEqual([2, 0, 1]);
  expect(report.advice.join()).toContain('1 is taken for "blue"');
});

test('an image of none of the classes is detected, without any example of one', async () => {
  const reds = images.filter(({ labels }) => labels[0] === 0);
  const labels = [{ id: 'colour:red', title: 'red' }];
  const { model } = await trainer.train(jobOf('none', { images: reds, labels, noneOfThese: true }));
  const [best] = await classifyWith(model, (await drawImage(dir, 'other', [1])).path);
  expect(best?.label.title).toBe('none of these');
  const [red] = await classifyWith(model, reds[0]?.path ?? '');
  expect(red?.label.title).toBe('red');
});

test('with any number of labels each has a probability and a threshold of its own', async () => {
  const striped: ClassifiedImage[] = [];
  for (let count = 0; count < 6; count++) striped.push(await drawImage(dir, `both-${count}`, [0, 2]));
  const { model, report } = await trainer.train(
    jobOf('several', { images: [...images, ...striped], multiLabel: true }),
  );
  const manifest = JSON.parse(await readFile(join(model.dir, 'manifest.json'), 'utf8'));
  expect(manifest.thresholds).toEqual(report.thresholds);
  const scores = await classifyWith(model, (await drawImage(dir, 'both', [0, 2])).path);
  const shown = scores.filter(
    ({ label, score }) => score >= (report.thresholds?.[titles.indexOf(label.title)] ?? 1),
  );
  expect(shown.map(({ label }) => label.title).sort()).toEqual(['blue', 'red']);
});

test.each<[string, Partial<ClassifierTraining>, string]>([
  ['a label that no image shows', { labels: [...'rgbx'].map((id) => ({ id, title: id })) }, '"x"'],
  ['a training without images', { images: [] }, 'no image to train on'],
  ['none of these with any number of labels', { multiLabel: true, noneOfThese: true }, 'leave out one'],
])('%s is refused with what to fix', async (_, changes, message) => {
  await expect(trainer.train(jobOf('refused', changes))).rejects.toMatchObject({
    code: 'impossible',
    message: expect.stringContaining(message),
  });
  expect(await readdir(join(dir, 'refused'))).toEqual([]);
});

test('a missing backbone is reported', async () => {
  const missing = { ...backbone, dir: join(dir, 'nowhere') };
  await expect(trainer.train(jobOf('missing', { backbone: missing }))).rejects.toMatchObject({
    code: 'model-missing',
  });
});
