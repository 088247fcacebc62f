import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { elementsOf } from '../onnx/graph/element-type.js';
import { GraphBuilder } from '../onnx/graph/graph-builder.js';
import { writeModel } from '../onnx/proto/codec.js';
import { createProcessRunner, type ProcessRunner } from '../runtime/process-runner.js';
import { makeUploads, type Uploads } from './fixtures/upload.js';

let uploads: Uploads;
let runner: ProcessRunner;
beforeAll(async () => {
  uploads = await makeUploads();
  runner = createProcessRunner({ processes: 1, queueMax: 4, jobTimeoutMs: 300_000, maxRssBytes: 2e9 });
  await runner.start();
});
afterAll(async () => {
  await runner.close();
  await uploads.close();
});

const side = 8;
const inputs = 3 * side * side;
const classes = 3;

/** Of the first class half are the greatest weights and half the smallest: exact sums cancel, saturated ones do so otherwise. */
const weights = Array.from({ length: inputs * classes }, (_, index) => {
  const row = Math.floor(index / classes);
  return [row < inputs / 2 ? 127 : -128, 1, 0][index % classes] ?? 0;
});
/** The result of exact arithmetic for a white image. */
const logits = [0, 1, 2].map(
  (column) => weights.reduce((sum, each, at) => sum + (at % classes === column ? 255 * each : 0), 0) / 50_000,
);

/** A quantised classifier as a customer's tools may write it. */
function quantisedNet(type: 'int8' | 'uint8'): Uint8Array {
  const builder = new GraphBuilder();
  const image = builder.input('images', 'float32', [1, 3, side, side]);
  const zero = builder.scalar('uint8', 0, 'zero');
  const flat = { type: 'uint8', dims: [1, inputs] } as const;
  const steps = builder.node('QuantizeLinear', [image, builder.scalar('float32', 1 / 255), zero], {}, flat);
  const row = builder.node('Reshape', [steps, builder.integers([1, inputs])], {}, flat);
  const shift = type === 'uint8' ? 128 : 0;
  const matrix = elementsOf(
    type,
    weights.map((each) => each + shift),
  );
  const sums = builder.node(
    'MatMulInteger',
    [
      row,
      builder.constant(type, [inputs, classes], matrix),
      zero,
      builder.scalar(type, shift, 'weights_zero'),
    ],
    {},
    { type: 'int32', dims: [1, classes] },
  );
  const floats = { type: 'float32', dims: [1, classes] } as const;
  const wide = builder.node('Cast', [sums], { to: 1 }, floats);
  const scaled = builder.node('Mul', [wide, builder.scalar('float32', 1 / 50_000)], {}, floats);
  builder.output('probabilities', builder.node('Softmax', [scaled], {}, floats), [1, classes]);
  return writeModel(builder.finish('quantised'));
}

async function scoresOf(type: 'int8' | 'uint8'): Promise<readonly number[]> {
  const { ref } = await uploads.upload(
    { 'net.onnx': quantisedNet(type) },
    { family: 'classifier', labels: ['a', 'b', 'c'] },
  );
  const white = sharp({ create: { width: 32, height: 32, channels: 3, background: '#fff' } });
  const { results } = await runner.analyse(
    {
      source: { kind: 'bytes', bytes: await white.png().toBuffer() },
      limits: { maxPixels: 1e6 },
      tasks: [{ task: 'classify', options: { model: ref, topK: classes } }],
    },
    { priority: 'interactive' },
  );
  const byLabel = new Map(results.classify?.classes.map(({ label, score }) => [label.title, score]));
  return ['a', 'b', 'c'].map((title) => byLabel.get(title) ?? Number.NaN);
}

test('an uploaded int8 classifier answers with the scores of exact arithmetic, whatever the CPU', async () => {
  const total = logits.reduce((sum, each) => sum + Math.exp(each), 0);
  for (const type of ['int8', 'uint8'] as const) {
    for (const [index, score] of (await scoresOf(type)).entries())
      expect(score).toBeCloseTo(Math.exp(logits[index] ?? 0) / total, 4);
  }
  expect(runner.stats().int8).not.toBeNull();
}, 300_000);
