import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encode as encodeFlex } from 'flatbuffers/js/flexbuffers.js';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runGraph } from '../onnx/fixtures/run-graph.js';
import { toGraphModel } from '../onnx/import/tfjs/fixtures/tiny-graph.js';
import { writeTflite } from '../onnx/import/tflite/fixtures/tiny-tflite.js';
import { createProcessRunner } from '../runtime/process-runner.js';
import { tinyTeachableMachine } from './fixtures/tiny-layers.js';
import { table, tinyNet } from './fixtures/tiny-nets.js';
import { makeUploads, type Uploads } from './fixtures/upload.js';
import { writeZip } from './fixtures/write-zip.js';
import { reimportUpload, type UploadOutcome } from './import-upload.js';

let uploads: Uploads;
beforeAll(async () => {
  uploads = await makeUploads();
});
afterAll(() => uploads.close());

/** The answer of a classifier for an image of one colour. */
async function probabilities({ ref, record }: UploadOutcome, colour: readonly number[]): Promise<number[]> {
  const { width, height } = record.plan.input;
  const data = Uint8Array.from({ length: width * height * 3 }, (_, index) => colour[index % 3] ?? 0);
  const bytes = new Uint8Array(await readFile(join(ref.dir, 'model.onnx')));
  const outputs = await runGraph(bytes, { image: { dims: [1, height, width, 3], data } });
  return Array.from(outputs['probabilities']?.data as Float32Array, Number);
}

test('the zip of Teachable Machine is all there is to upload', async () => {
  const files = Object.entries(tinyTeachableMachine()).map(([name, data]) => ({ name, data }));
  const outcome = await uploads.upload({ 'tm-my-image-model.zip': writeZip(files) });
  expect(outcome.record).toMatchObject({ format: 'tfjs-layers', family: 'classifier' });
  expect(outcome.record.plan.labels).toEqual(['red', 'green']);
  expect(outcome.record.plan.input).toMatchObject({
    fit: 'centre',
    width: 16,
    scale: { mean: [127.5], std: [127.5] },
  });
  // Red is 1 after scaling; of the 9x9 cells 8x8 see the image, the others the padding.
  const share = 64 / 81 / Math.sqrt(1.001);
  const expected = 1 / (1 + Math.exp(-2 * share));
  expect(await probabilities(outcome, [255, 0, 0])).toEqual([
    expect.closeTo(expected, 4),
    expect.closeTo(1 - expected, 4),
  ]);
});

test('a TF.js model can be uploaded as its files, and a missing shard is reported by name', async () => {
  const { model, shards } = toGraphModel({
    inputDims: [1, 8, 8, 3],
    weights: {
      axes: { dims: [2], data: [1, 2], dtype: 'int32' },
      kernel: { dims: [3, 2], data: [2, 0, 0, 2, 0, 0] },
    },
    nodes: [
      { name: 'mean', op: 'Mean', input: ['x', 'axes'] },
      { name: 'y', op: 'MatMul', input: ['mean', 'kernel'] },
    ],
  });
  const weightsManifest = model.weightsManifest.map((group) => ({ ...group, paths: ['group1-shard1of1'] }));
  const json = Buffer.from(JSON.stringify({ ...model, weightsManifest }));
  const outcome = await uploads.upload({
    'model.json': json,
    'group1-shard1of1': new Uint8Array(Buffer.concat(shards)),
  });
  expect(outcome.record).toMatchObject({ format: 'tfjs', family: 'classifier' });
  const share = 1 / (1 + Math.exp(-4));
  expect((await probabilities(outcome, [255, 0, 0]))[0]).toBeCloseTo(share, 4);
  await expect(uploads.upload({ 'model.json': json })).rejects.toThrow(
    /weights group1-shard1of1 are missing/,
  );
});

test('a TFLite model with its labels beside it, as Teachable Machine exports it', async () => {
  const kernel = new Uint8Array(Float32Array.of(2, 0, 0, 0, 2, 0).buffer);
  const axes = new Uint8Array(Int32Array.of(1, 2).buffer);
  const model = writeTflite({
    tensors: [
      { name: 'x', dims: [1, 8, 8, 3], type: 0 },
      { name: 'axes', dims: [2], type: 2, data: axes },
      { name: 'mean', dims: [1, 3], type: 0 },
      { name: 'kernel', dims: [2, 3], type: 0, data: kernel },
      { name: 'dense', dims: [1, 2], type: 0 },
      { name: 'y', dims: [1, 2], type: 0 },
    ],
    operators: [
      { code: 40, inputs: [0, 1], outputs: [2] },
      { code: 9, inputs: [2, 3], outputs: [4] },
      { code: 25, inputs: [4], outputs: [5] },
    ],
    inputs: [0],
    outputs: [5],
  });
  const zip = writeZip([
    { name: 'model_unquant.tflite', data: model },
    { name: 'labels.txt', data: Buffer.from('0 red\n1 green\n') },
  ]);
  const outcome = await uploads.upload({ 'converted_tflite.zip': zip });
  expect(outcome.record).toMatchObject({ format: 'tflite', family: 'classifier' });
  expect(outcome.record.plan.labels).toEqual(['red', 'green']);
  expect((await probabilities(outcome, [255, 0, 0]))[0]).toBeCloseTo(1 / (1 + Math.exp(-4)), 4);
});

test("TensorFlow's SSD for TFLite is decoded from its anchors", async () => {
  const floats = (...numbers: number[]) => new Uint8Array(Float32Array.from(numbers).buffer);
  const options = new Uint8Array(
    encodeFlex({ num_classes: 2, y_scale: 10, x_scale: 10, h_scale: 5, w_scale: 5, max_detections: 10 }),
  );
  const post = { name: 'TFLite_Detection_PostProcess', options };
  const anchors = floats(0.5, 0.5, 0.5, 0.25, 0.1, 0.1, 0.1, 0.1);
  const model = writeTflite({
    tensors: [
      { name: 'x', dims: [1, 8, 8, 3], type: 0 },
      { name: 'axes', dims: [2], type: 2, data: new Uint8Array(Int32Array.of(1, 2).buffer) },
      { name: 'mean', dims: [1, 3], type: 0 },
      { name: 'none', dims: [8, 3], type: 0, data: floats(...new Array<number>(24).fill(0)) },
      // The first box is moved by half its anchor's height and twice as wide.
      { name: 'bias', dims: [8], type: 0, data: floats(5, 0, 0, 5 * Math.log(2), 0, 0, 0, 0) },
      { name: 'offsets', dims: [1, 8], type: 0 },
      { name: 'boxes', dims: [1, 2, 4], type: 0 },
      { name: 'none6', dims: [6, 3], type: 0, data: floats(...new Array<number>(18).fill(0)) },
      { name: 'bias6', dims: [6], type: 0, data: floats(0, -9, 3, 0, -9, -9) },
      { name: 'logits', dims: [1, 6], type: 0 },
      { name: 'rows', dims: [1, 2, 3], type: 0 },
      { name: 'scores', dims: [1, 2, 3], type: 0 },
      { name: 'anchors', dims: [2, 4], type: 0, data: anchors },
      { name: 'found', dims: [1, 10, 4], type: 0 },
    ],
    operators: [
      { code: 40, inputs: [0, 1], outputs: [2] },
      { code: 9, inputs: [2, 3, 4], outputs: [5] },
      { code: 22, inputs: [5], outputs: [6] },
      { code: 9, inputs: [2, 7, 8], outputs: [9] },
      { code: 22, inputs: [9], outputs: [10] },
      { code: 14, inputs: [10], outputs: [11] },
      { code: 32, inputs: [6, 11, 12], outputs: [13], custom: post },
    ],
    inputs: [0],
    outputs: [13],
  });
  const outcome = await uploads.upload({ 'detect.tflite': model }, { labels: ['cat', 'dog'] });
  const [found] = await detectIn([outcome]);
  expect(found).toEqual([
    {
      label: { id: 'mine:1', title: 'dog' },
      score: expect.closeTo(1 / (1 + Math.exp(-3)), 4),
      box: {
        xMin: expect.closeTo(50),
        yMin: expect.closeTo(50),
        xMax: expect.closeTo(150),
        yMax: expect.closeTo(100),
      },
    },
  ]);
});

/** One box in the middle of the input, half as wide and high. */
const detector = tinyNet({
  outputs: [{ name: 'output0', ...table(84, 6, { 3: [32, 32, 32, 32, 0, 0.5] }, true) }],
  metadata: { names: "{0: 'cat', 1: 'dog'}", stride: '32' },
});

async function detectIn(dirs: readonly UploadOutcome[]) {
  const runner = createProcessRunner({ processes: 1, queueMax: 4, jobTimeoutMs: 300_000, maxRssBytes: 2e9 });
  await runner.start();
  try {
    const bytes = await sharp({ create: { width: 200, height: 100, channels: 3, background: '#888' } })
      .png()
      .toBuffer();
    const found = [];
    for (const { ref } of dirs) {
      const answer = await runner.analyse(
        {
          source: { kind: 'bytes', bytes },
          limits: { maxPixels: 1e6 },
          tasks: [{ task: 'detect', options: { models: [ref], minScore: 0.1, nmsIou: 0.5 } }],
        },
        { priority: 'interactive' },
      );
      found.push(answer.results.detect?.detections ?? []);
    }
    return found;
  } finally {
    await runner.close();
  }
}

test('an uploaded detector answers in pixels of the image, and its labels and threshold can be changed', async () => {
  const first = await uploads.upload({ 'best.onnx': detector });
  const second = await reimportUpload({
    dir: first.ref.dir,
    version: 'v2',
    outDir: join(uploads.dir, 'second'),
    changes: { labels: ['Katze', 'Hund'], threshold: 0.25, input: { fit: 'squash' } },
  });
  expect(second.record.options).toEqual({
    labels: ['Katze', 'Hund'],
    threshold: 0.25,
    input: { fit: 'squash' },
  });
  const [before, after] = await detectIn([first, second]);
  // Letterboxed: 64x32 of the 64x64 show the image, and the box reaches from top to bottom of it.
  expect(before).toEqual([
    { label: { id: 'mine:1', title: 'dog' }, score: 0.5, box: { xMin: 50, yMin: 0, xMax: 150, yMax: 100 } },
  ]);
  expect(after).toEqual([
    {
      label: { id: 'mine:1', title: 'Hund' },
      // Between the working point, shown as 0.4, and 1.
      score: expect.closeTo(0.4 + 0.6 / 3, 4),
      box: { xMin: 50, yMin: 25, xMax: 150, yMax: 75 },
    },
  ]);
});
