import fc from 'fast-check';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { describe, expect, test } from 'vitest';
import { floats, type RunTensor, runGraph } from '../../fixtures/run-graph.js';
import { GraphBuilder } from '../../graph/graph-builder.js';
import { ImportError } from '../../import-error.js';
import { readModel } from '../../proto/codec.js';
import { floatTensor, integerTensor, type TinyNode, type TinyOnnx, writeOnnx } from './fixtures/tiny-onnx.js';
import { importOnnx } from './import-onnx.js';

const dims = [1, 2, 3, 4];
const numbers = Float32Array.from({ length: 24 }, (_, index) => Math.sin(index * 1.7) * 3);

interface Fed {
  readonly dims: readonly number[];
  readonly data: Float32Array;
}

function convert(tiny: TinyOnnx, freeBatch = false, fedDims: readonly number[] = dims): GraphBuilder {
  const builder = new GraphBuilder(true, freeBatch);
  const model = readModel(writeOnnx(tiny));
  const image = builder.input('x', 'float32', freeBatch ? ['batch', ...fedDims.slice(1)] : fedDims);
  const values = importOnnx(builder, model, { input: 'x', image, outputs: tiny.outputs });
  for (const [name, value] of values) builder.output(name, value);
  return builder;
}

async function runOriginal(tiny: TinyOnnx, { dims: fedDims, data }: Fed): Promise<RunTensor | undefined> {
  const session = await InferenceSession.create(writeOnnx(tiny), { logSeverityLevel: 4 });
  const { y } = await session.run({ x: new Tensor('float32', data, fedDims) });
  await session.release();
  return y && { dims: [...y.dims], data: y.data };
}

const oldNodes: readonly (readonly [string, number, readonly TinyNode[]])[] = [
  [
    'Slice with its limits as attributes',
    9,
    [
      {
        op: 'Slice',
        inputs: ['x'],
        output: 'y',
        attributes: {
          axes: { ints: [2, 3] },
          starts: { ints: [1, -2] },
          ends: { ints: [2n ** 63n - 1n, 9] },
        },
      },
    ],
  ],
  ['Clip', 9, [{ op: 'Clip', inputs: ['x'], output: 'y', attributes: { max: { float: 1.5 } } }]],
  [
    'Pad',
    9,
    [
      {
        op: 'Pad',
        inputs: ['x'],
        output: 'y',
        attributes: {
          pads: { ints: [0, 0, 1, 0, 0, 1, 0, 2] },
          value: { float: 7 },
          mode: { text: 'constant' },
        },
      },
    ],
  ],
  [
    'Resize from the corner',
    10,
    [{ op: 'Resize', inputs: ['x', 'scales'], output: 'y', attributes: { mode: { text: 'nearest' } } }],
  ],
  [
    'Squeeze and Unsqueeze',
    11,
    [
      { op: 'Unsqueeze', inputs: ['x'], output: 'u', attributes: { axes: { ints: [0, 5] } } },
      { op: 'Squeeze', inputs: ['u'], output: 'y', attributes: { axes: { ints: [5] } } },
    ],
  ],
  [
    'Softmax over the last axis',
    11,
    [{ op: 'Softmax', inputs: ['x'], output: 'y', attributes: { axis: { int: 3 } } }],
  ],
  ['Softmax over all that follows', 11, [{ op: 'Softmax', inputs: ['x'], output: 'y' }]],
  ['ReduceSum', 11, [{ op: 'ReduceSum', inputs: ['x'], output: 'y', attributes: { axes: { ints: [1] } } }]],
  ['Dropout', 9, [{ op: 'Dropout', inputs: ['x'], output: 'y', attributes: { ratio: { float: 0.5 } } }]],
  [
    'Constant',
    11,
    [
      {
        op: 'Constant',
        inputs: [],
        output: 'c',
        attributes: { value: { tensor: floatTensor('', [], [2.5]) } },
      },
      { op: 'Mul', inputs: ['x', 'c'], output: 'y' },
    ],
  ],
];

test.each(oldNodes)('%s of opset %i gives the same results as the original', async (_name, opset, nodes) => {
  const constants = [floatTensor('scales', [4], [1, 1, 2, 1.5])];
  const tiny = { opset, nodes, constants, outputs: ['y'] };
  const given = (await runGraph(convert(tiny), { x: { dims, data: numbers } }))['y'];
  const expected = await runOriginal(tiny, { dims, data: numbers });
  expect(given?.dims).toEqual(expected?.dims);
  floats(given).forEach((number, index) => {
    expect(number).toBeCloseTo(floats(expected)[index] ?? Number.NaN, 5);
  });
});

test('a net exported for one image accepts several', async () => {
  const tiny: TinyOnnx = {
    opset: 9,
    nodes: [{ op: 'Reshape', inputs: ['x', 'shape'], output: 'y' }],
    constants: [integerTensor('shape', [1, -1])],
    outputs: ['y'],
  };
  const data = Float32Array.from({ length: 12 }, (_, index) => index);
  const { y } = await runGraph(convert(tiny, true, [1, 2, 2]), { x: { dims: [3, 2, 2], data } });
  expect(y?.dims).toEqual([3, 4]);
});

test('a graph is cut after any named value, and the rest is omitted', async () => {
  const tiny: TinyOnnx = {
    opset: 13,
    nodes: [
      { op: 'Neg', inputs: ['x'], output: 'inner' },
      { op: 'MatMul', inputs: ['inner', 'big'], output: 'y' },
    ],
    constants: [floatTensor('big', [4, 100], new Array<number>(400).fill(1))],
    outputs: ['inner'],
  };
  const { graph } = convert(tiny).finish('cut');
  expect(graph.initializer).toEqual([]);
  expect(graph.node?.map(({ opType }) => opType)).toEqual(['Neg', 'Identity']);
});

describe('what cannot be converted is refused with what to fix', () => {
  const identity: TinyNode = { op: 'Relu', inputs: ['x'], output: 'y' };
  const plain: TinyOnnx = { opset: 13, nodes: [identity], outputs: ['y'] };
  const cases: readonly (readonly [string, TinyOnnx, RegExp])[] = [
    ['an opset that is too new', { ...plain, opset: 21 }, /opset 21; 7 to 17 .* export it with opset 17/],
    ['an opset that is too old', { ...plain, opset: 6 }, /opset 6/],
    [
      'an operator of another domain',
      { ...plain, nodes: [{ ...identity, domain: 'com.acme' }] },
      /operator Relu of node node of y: it belongs to com\.acme/,
    ],
    ['a value that is not there', { ...plain, outputs: ['z'] }, /no value named z/],
    [
      'a node before its input',
      { ...plain, nodes: [{ ...identity, inputs: ['later'] }] },
      /later is not known yet/,
    ],
    [
      'weights in another file',
      { ...plain, constants: [{ ...floatTensor('w', [1], [1]), dataLocation: 1 }] },
      /w lie in another file/,
    ],
    [
      'half floats',
      { ...plain, constants: [{ name: 'w', dims: [1n], dataType: 10 }] },
      /export the model as float32/,
    ],
    ['weights that are truncated', { ...plain, constants: [floatTensor('w', [9], [1])] }, /shape \[9\]/],
    [
      'a huge shape without data',
      { ...plain, constants: [floatTensor('w', [2 ** 40, 2 ** 40], [])] },
      /shape/,
    ],
  ];
  test.each(cases)('%s', (_name, tiny, message) => {
    expect(() => convert(tiny)).toThrow(ImportError);
    expect(() => convert(tiny)).toThrow(message);
  });

  test('another input than the recipe names', () => {
    const builder = new GraphBuilder();
    const image = builder.input('image', 'float32', dims);
    const wanted = { input: 'image', image, outputs: ['y'] };
    expect(() => importOnnx(builder, readModel(writeOnnx(plain)), wanted)).toThrow(/takes x; image alone/);
  });
});

test('a damaged file is converted or refused, never anything else', () => {
  const [, opset, nodes] = oldNodes[0] ?? ['', 9, []];
  const constants = [floatTensor('scales', [4], [1, 1, 2, 1.5]), integerTensor('shape', [1, -1])];
  const whole = writeOnnx({ opset, nodes, constants, outputs: ['y'] });
  const load = (bytes: Uint8Array) => {
    try {
      const builder = new GraphBuilder(true, true);
      const image = builder.input('x', 'float32', dims);
      const values = importOnnx(builder, readModel(bytes), { input: 'x', image, outputs: ['y'] });
      for (const [name, value] of values) builder.output(name, value);
      builder.finish('damaged');
    } catch (error) {
      expect(error).toBeInstanceOf(ImportError);
    }
  };
  for (let end = 0; end < whole.length; end++) load(whole.subarray(0, end));
  const mutations = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(mutations, (changes) => {
      const bytes = Uint8Array.from(whole);
      for (const [at, byte] of changes) bytes[at] = byte;
      load(bytes);
    }),
    { numRuns: 2000 },
  );
});
