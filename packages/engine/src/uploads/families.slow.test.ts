import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Tensor } from 'onnxruntime-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runGraph } from '../onnx/fixtures/run-graph.js';
import { type TinyNet, table, tinyNet, withOpset } from './fixtures/tiny-nets.js';
import { makeUploads, type Uploads } from './fixtures/upload.js';
import type { ImportOptions } from './import-options.js';
import type { UploadOutcome } from './import-upload.js';
import { openSession, runSession } from './observe.js';

let uploads: Uploads;
beforeAll(async () => {
  uploads = await makeUploads();
});
afterAll(() => uploads.close());

/** Detections of an uploaded detector in a grey image, best first. */
async function detections({ ref, record }: UploadOutcome) {
  const { width, height } = record.plan.input;
  const session = await openSession(await readFile(join(ref.dir, 'model.onnx')));
  const found = await runSession(session, {
    image: new Tensor('uint8', new Uint8Array(width * height * 3).fill(90), [1, height, width, 3]),
    score_threshold: new Tensor('float32', Float32Array.of(0.1), [1]),
    iou_threshold: new Tensor('float32', Float32Array.of(0.5), [1]),
  });
  await session.release();
  const [boxes, scores, classes] = ['boxes', 'scores', 'classes'].map((name) =>
    Array.from<number | bigint | string, number>(found[name]?.data as Float32Array, Number),
  );
  return (scores ?? [])
    .map((score, index) => ({
      score: Math.round(score * 100) / 100,
      label: record.plan.labels[classes?.[index] ?? -1],
      box: (boxes ?? []).slice(4 * index, 4 * index + 4).map((side) => Math.round(side * 64)),
    }))
    .sort((a, b) => b.score - a.score);
}

/** 84 cells of stride 8, 16 and 32 over 64 pixels. */
const cells = 64 + 16 + 4;
const logit = (share: number) => Math.log(share / (1 - share));
const names = "{0: 'cat', 1: \"dog's\"}";
const ultralytics = { names, stride: '32', imgsz: '[64, 64]', task: 'detect' };

/** Every net sees a dog at 16,8 to 48,56 of 64 pixels, and a second box at the same position with a lower score. */
const [dog, again] = [
  [32, 32, 32, 48],
  [33, 32, 32, 48],
];
const labelled: ImportOptions = { labels: ['cat', "dog's"] };
const detectors: readonly (readonly [string, TinyNet, ImportOptions, string])[] = [
  [
    'YOLOv8, by its metadata',
    {
      outputs: [
        { name: 'output0', ...table(cells, 6, { 3: [...dog, 0, 0.9], 5: [...again, 0, 0.6] }, true) },
      ],
      metadata: ultralytics,
    },
    {},
    'columns',
  ],
  [
    'YOLOv5, by its metadata',
    {
      outputs: [{ name: 'output0', ...table(252, 7, { 3: [...dog, 0.9, 0, 1], 5: [...again, 0.6, 0, 1] }) }],
      metadata: ultralytics,
    },
    {},
    'columns',
  ],
  [
    'YOLOX, still in its grids',
    {
      outputs: [
        {
          name: 'output',
          ...table(cells, 7, {
            // Cell 4,4 of stride 8.
            36: [0, 0, Math.log(4), Math.log(6), 0.9, 0, 1],
            0: [0, 0, -1, -1, 0, 0, 0],
          }),
        },
      ],
    },
    labelled,
    'columns',
  ],
  [
    'DETR, a softmax with a class for nothing',
    {
      outputs: [
        {
          name: 'logits',
          dims: [1, 30, 3],
          numbers: table(30, 3, { 3: [0, logit(0.9), -49] }).numbers.map(
            (number, index) => number + (index % 3 === 2 ? 9 : 0),
          ),
        },
        { name: 'pred_boxes', ...table(30, 4, { 3: [0.5, 0.5, 0.5, 0.75] }) },
      ],
    },
    labelled,
    'pair',
  ],
  [
    'RT-DETR, a sigmoid a class',
    {
      outputs: [
        {
          name: 'logits',
          dims: [1, 30, 2],
          numbers: table(30, 2, { 3: [0, logit(0.9) + 9] }).numbers.map((number) => number - 9),
        },
        { name: 'pred_boxes', ...table(30, 4, { 3: [0.5, 0.5, 0.5, 0.75] }) },
      ],
    },
    labelled,
    'pair',
  ],
  [
    "TensorFlow's SSD with its overlaps suppressed",
    {
      input: [1, 64, 64, 3],
      outputs: [
        { name: 'detection_boxes', ...table(10, 4, { 0: [0.125, 0.25, 0.875, 0.75] }) },
        { name: 'detection_classes', dims: [1, 10], numbers: [2, 1, 1, 1, 1, 1, 1, 1, 1, 1] },
        { name: 'detection_scores', dims: [1, 10], numbers: [0.9, 0, 0, 0, 0, 0, 0, 0, 0, 0] },
        { name: 'num_detections', dims: [1], numbers: [1] },
      ],
    },
    labelled,
    'list',
  ],
  [
    'boxes, labels and scores in pixels',
    {
      outputs: [
        { name: 'boxes', ...table(10, 4, { 0: [16, 8, 48, 56] }) },
        { name: 'labels', dims: [1, 10], numbers: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0], type: 'int64' },
        { name: 'scores', dims: [1, 10], numbers: [0.9, 0, 0, 0, 0, 0, 0, 0, 0, 0] },
      ],
    },
    labelled,
    'list',
  ],
  [
    'finished rows, as YOLO exports them with its suppression',
    {
      outputs: [{ name: 'output0', ...table(30, 6, { 0: [16, 8, 48, 56, 0.9, 1] }) }],
      metadata: ultralytics,
    },
    {},
    'rows',
  ],
];

describe('a detector of each family is recognised, and its boxes keep their positions', () => {
  test.each(detectors)('%s', async (_name, net, options, head) => {
    const outcome = await uploads.upload({ 'model.onnx': tinyNet(net) }, options);
    expect(outcome.record).toMatchObject({ family: 'detector', format: 'onnx' });
    expect(outcome.record.plan.head.head).toBe(head);
    const [best, ...others] = await detections(outcome);
    expect(best).toEqual({ score: expect.closeTo(0.9, 1), label: "dog's", box: [16, 8, 48, 56] });
    expect(others.filter(({ label }) => label === "dog's")).toEqual([]);
  });
});

test('an Ultralytics file declares its preprocessing: letterboxed, divided by 255', async () => {
  const [, net] = detectors[0] ?? [];
  const { ref, record } = await uploads.upload({ 'best.onnx': tinyNet(net ?? { outputs: [] }) });
  const manifest: unknown = JSON.parse(await readFile(join(ref.dir, 'manifest.json'), 'utf8'));
  expect(manifest).toMatchObject({
    family: 'detector',
    input: { fit: 'letterbox', width: 64, height: 64, fill: 114, place: 'centre' },
    labels: [{ title: 'cat' }, { title: "dog's" }],
  });
  expect(record.plan.input.scale).toEqual({ channels: 'rgb', mean: [0], std: [255] });
  expect(record.trial.ms).toBeGreaterThan(0);
  expect(record.trial.mb).toBeGreaterThan(10);
});

describe('classes', () => {
  const classifier = (numbers: readonly number[], metadata = {}) =>
    tinyNet({ outputs: [{ name: 'y', dims: [1, numbers.length], numbers }], metadata });
  const run = async ({ ref, record }: UploadOutcome) => {
    const { width, height } = record.plan.input;
    const image = { dims: [1, height, width, 3], data: new Uint8Array(width * height * 3) };
    return runGraph(new Uint8Array(await readFile(join(ref.dir, 'model.onnx'))), { image });
  };

  test('logits become probabilities, and probabilities stay as they are', async () => {
    const logits = await run(await uploads.upload({ 'm.onnx': classifier([0, Math.log(3)]) }, labelled));
    expect([...(logits['probabilities']?.data ?? [])]).toEqual([expect.closeTo(0.25), expect.closeTo(0.75)]);
    const shares = await run(await uploads.upload({ 'm.onnx': classifier([0.2, 0.8]) }, labelled));
    expect([...(shares['probabilities']?.data ?? [])]).toEqual([expect.closeTo(0.2), expect.closeTo(0.8)]);
  });

  test('one number is the probability of the second of two classes', async () => {
    const outcome = await uploads.upload({ 'm.onnx': classifier([0.7]) }, labelled);
    const { probabilities } = await run(outcome);
    expect([...(probabilities?.data ?? [])]).toEqual([expect.closeTo(0.3), expect.closeTo(0.7)]);
  });

  test('labels are read from a file beside the model, without the numbers of Teachable Machine', async () => {
    const files = {
      'm.onnx': classifier([0.2, 0.8]),
      'labels.txt': Buffer.from('0 Class One\n1 Class Two\n'),
    };
    expect((await uploads.upload(files)).record.plan.labels).toEqual(['Class One', 'Class Two']);
  });

  test('a net of opset 9 runs like a newer one', async () => {
    const old = withOpset(classifier([0.2, 0.8]), 9);
    const { probabilities } = await run(await uploads.upload({ 'm.onnx': old }, labelled));
    expect([...(probabilities?.data ?? [])]).toEqual([expect.closeTo(0.2), expect.closeTo(0.8)]);
  });

  test('an embedding has the length 1, whatever the net gives', async () => {
    const outcome = await uploads.upload({ 'm.onnx': classifier([3, 4]) }, { family: 'embedder' });
    const { embedding } = await run(outcome);
    expect([...(embedding?.data ?? [])]).toEqual([expect.closeTo(0.6), expect.closeTo(0.8)]);
  });
});
