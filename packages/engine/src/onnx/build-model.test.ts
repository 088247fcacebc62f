import { describe, expect, test } from 'vitest';
import { buildModel } from './build-model.js';
import { floats, runGraph } from './fixtures/run-graph.js';
import { integerTensor, writeOnnx } from './import/onnx/fixtures/tiny-onnx.js';
import { toGraphModel } from './import/tfjs/fixtures/tiny-graph.js';
import { writeTflite } from './import/tflite/fixtures/tiny-tflite.js';
import { readModel, writeModel } from './proto/codec.js';
import type { ImageScale, Recipe } from './recipe.js';
import { operatorsOf, SmallGraph } from './rewrites/fixtures/small-graph.js';
import { integers } from './rewrites/node.js';

const classifier = { head: 'classifier-logits', firstClass: 0 } as const;
const weights = { axes: { dims: [2], data: [1, 2], dtype: 'int32' as const } };

/** Logits are the means of red, green and blue. */
function meanColour(): ReadonlyMap<string, Uint8Array> {
  const nodes = [{ name: 'y', op: 'Mean', input: ['x', 'axes'], attr: { keep_dims: { b: false } } }];
  const { model, shards } = toGraphModel({ inputDims: [1, 2, 2, 3], weights, nodes });
  return new Map([
    ['model.json', Buffer.from(JSON.stringify(model))],
    ['shard', Buffer.concat(shards)],
  ]);
}

const tfjs: Recipe = {
  importer: 'tfjs',
  file: 'model.json',
  shards: ['shard'],
  input: 'x',
  head: classifier,
};

test('a TF.js model takes the bytes of an image and keeps the contract of its family', async () => {
  const image = Uint8Array.of(10, 0, 0, 12, 0, 2, 10, 4, 0, 12, 0, 2);
  const outputs = await runGraph(buildModel(tfjs, meanColour()), {
    image: { dims: [1, 2, 2, 3], data: image },
  });
  const total = Math.exp(11) + 2 * Math.exp(1);
  const expected = [Math.exp(11) / total, Math.exp(1) / total, Math.exp(1) / total];
  floats(outputs['probabilities']).forEach((given, index) => {
    expect(given).toBeCloseTo(expected[index] ?? Number.NaN, 6);
  });
});

test('the inputs of the head can be read', async () => {
  const bytes = buildModel(tfjs, meanColour(), { withHeadInputs: true });
  const outputs = await runGraph(bytes, { image: { dims: [1, 2, 2, 3], data: new Uint8Array(12).fill(7) } });
  expect(floats(outputs['head_input_0'])).toEqual([7, 7, 7]);
});

test.each(['int8', 'float32'] as const)('a TFLite model as %s takes the bytes of an image', async (kind) => {
  const flowing = (name: string, dims: number[], scale: number, zeroPoint: number) => ({
    name,
    dims,
    type: 3,
    scales: [scale],
    zeroPoints: [zeroPoint],
  });
  const file = writeTflite({
    tensors: [
      flowing('x', [1, 2, 2, 3], 0.5, 4),
      flowing('mean', [1, 1, 1, 3], 0.5, 4),
      flowing('y', [1, 3], 0.5, 4),
    ],
    operators: [
      { code: 1, inputs: [0], outputs: [1], options: [{ byte: 1 }, 1, 1, 2, 2] },
      { code: 22, inputs: [1], outputs: [2] },
    ],
    inputs: [0],
    outputs: [2],
  });
  const recipe: Recipe = { importer: 'tflite', file: 'm.lite', weights: kind, head: classifier };
  const image = Uint8Array.of(8, 4, 6, 8, 4, 6, 8, 4, 6, 8, 4, 6);
  const outputs = await runGraph(buildModel(recipe, new Map([['m.lite', file]])), {
    image: { dims: [1, 2, 2, 3], data: image },
  });
  const [first = 0, second = 0, third = 0] = floats(outputs['probabilities']);
  expect(first / second).toBeCloseTo(Math.exp(2), 3);
  expect(third / second).toBeCloseTo(Math.exp(1), 3);
});

describe('a net of floats', () => {
  const scale: ImageScale = { channels: 'bgr', mean: [10], std: [2] };
  const embedding = { head: 'embedding' } as const;

  test('takes any number of images from a TFLite file', async () => {
    const identity = Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
    const file = writeTflite({
      tensors: [
        { name: 'x', dims: [1, 1, 1, 3], type: 0 },
        { name: 'flat', dims: [1, 3], type: 0 },
        { name: 'w', dims: [3, 3], type: 0, data: new Uint8Array(identity.buffer) },
        { name: 'y', dims: [1, 3], type: 0 },
      ],
      operators: [
        { code: 22, inputs: [0], outputs: [1] },
        { code: 9, inputs: [1, 2, -1], outputs: [3] },
      ],
      inputs: [0],
      outputs: [3],
    });
    const recipe: Recipe = { importer: 'tflite', file: 'm', weights: 'float32', scale, head: embedding };
    const image = { dims: [2, 1, 1, 3], data: Uint8Array.of(10, 16, 18, 12, 10, 10) };
    const outputs = await runGraph(buildModel(recipe, new Map([['m', file]])), { image });
    expect(outputs['embedding']?.dims).toEqual([2, 3]);
    expect(floats(outputs['embedding'])).toEqual([0.8, 0.6, 0, 0, 0, 1].map(Math.fround));
    const quantised: Recipe = { importer: 'tflite', file: 'm', weights: 'float32', head: embedding };
    expect(() => buildModel(quantised, new Map([['m', file]]))).toThrow(/the recipe must say what range/);
  });

  test('takes images of any size and number from an ONNX file', async () => {
    const file = writeOnnx({
      opset: 9,
      nodes: [
        { op: 'GlobalAveragePool', inputs: ['x'], output: 'mean' },
        { op: 'Reshape', inputs: ['mean', 'shape'], output: 'y' },
      ],
      constants: [integerTensor('shape', [1, -1])],
      outputs: ['y'],
    });
    const dims: ['free', 'free', 'free'] = ['free', 'free', 'free'];
    const recipe: Recipe = { importer: 'onnx', file: 'm', input: 'x', dims, scale, head: embedding };
    const model = buildModel(recipe, new Map([['m', file]]), { withHeadInputs: true });
    for (const [images, height, width] of [
      [1, 1, 2],
      [3, 4, 5],
    ] as const) {
      const pixels = images * height * width;
      const data = Uint8Array.from({ length: pixels * 3 }, (_, at) => [10, 16, 18][at % 3] ?? 0);
      const outputs = await runGraph(model, { image: { dims: [images, height, width, 3], data } });
      expect(outputs['head_input_0']?.dims).toEqual([images, 3]);
      expect(floats(outputs['head_input_0']).slice(0, 3)).toEqual([4, 3, 0]);
      expect(floats(outputs['embedding']).slice(0, 3)).toEqual([0.8, 0.6, 0].map(Math.fround));
    }
  });
});

test('a file that the recipe names and the source lacks is named', () => {
  expect(() => buildModel(tfjs, new Map())).toThrow('the source has no file model.json');
});

test('nodes that no output needs are not written', () => {
  const { graph } = readModel(buildModel(tfjs, meanColour()));
  const used = new Set(graph.node?.flatMap((node) => node.input ?? []));
  for (const { name = '' } of graph.initializer ?? []) expect(used).toContain(name);
});

test('what relies on a pyramid is rewritten where the recipe says that there is one', async () => {
  const graph = new SmallGraph(1);
  const transposed = (value: string, channels: readonly [number, number]) =>
    graph.node('ConvTranspose', [value, graph.random([...channels, 2, 2])], [integers('strides', [2, 2])]);
  const first = transposed(graph.convolution('x', [3, 24]), [24, 24]);
  const last = graph.node('Sigmoid', [transposed(graph.node('Relu', [first]), [24, 1])]);
  const files = new Map([['m', writeModel(graph.model([last]))]]);
  const recipe: Recipe = {
    importer: 'onnx',
    file: 'm',
    input: 'x',
    dims: [1, 'free', 'free'],
    scale: { channels: 'rgb', mean: [128], std: [64] },
    head: { head: 'text-map' },
  };
  const [plain, pyramid] = [buildModel(recipe, files), buildModel({ ...recipe, pyramid: true }, files)];
  expect(operatorsOf(readModel(plain))).toContain('ConvTranspose');
  expect(operatorsOf(readModel(pyramid))).not.toContain('ConvTranspose');
  const image = { dims: [1, 4, 5, 3], data: Uint8Array.from({ length: 60 }, (_, at) => (at * 37) % 256) };
  const [before, after] = [await runGraph(plain, { image }), await runGraph(pyramid, { image })];
  const expected = floats(before['map']);
  expect(expected).toHaveLength(16 * 20);
  for (const [at, given] of floats(after['map']).entries()) {
    expect(given).toBeCloseTo(expected[at] ?? Number.NaN, 5);
  }
});
