import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { probeInt8Arithmetic } from '../../runtime/int8/probe-int8.js';
import { floats, runGraph } from '../fixtures/run-graph.js';
import { writeModel } from '../proto/codec.js';
import { withExactProducts } from './exact-products.js';
import {
  graphOf,
  type IntegerGraph,
  node,
  tensor,
  type WeightType,
  weightTensor,
} from './fixtures/integer-graphs.js';
import { fitSixteenBits } from './integer-products.js';

/** Numbers that repeat from run to run, from the ends of their range. */
function extremes(count: number, low: number, high: number): number[] {
  return Array.from({ length: count }, (_, index) => (index % 7 < 3 ? low : high) + (index % 5));
}

const depth = 32;
const columns = 6;
const pixels = extremes(depth, 245, 250);
const matrix = extremes(depth * columns, 118, -128);
const scale = 4000;

const common = [
  tensor('one', 'float32', [], [1]),
  tensor('scale', 'float32', [], [scale]),
  tensor('x_zero', 'uint8', [], [3]),
  tensor('y_zero', 'uint8', [], [128]),
];
const row = [1, depth];

/** The weights of a matrix with zero point 5, unless `bare`: then there is none. */
function matrixForm(
  type: WeightType,
  write: () => readonly ReturnType<typeof node>[],
  zero = 5,
): IntegerGraph {
  const weights = weightTensor('w', type, [depth, columns], matrix);
  return graphOf(row, write(), [...common, weights, weightTensor('w_zero', type, [], [zero])]);
}

/** Four gates of eight cells, with scales that keep their sums in the gates' responsive range. */
function lstmForm(type: WeightType, greatestRecurrent: number): IntegerGraph {
  const [steps, inputs, cells] = [4, 8, 8];
  const recurrent = extremes(cells * 4 * cells, greatestRecurrent, -greatestRecurrent);
  const scales = ['w_scale', 'w_zero', 'r_scale', 'w_zero'];
  return graphOf(
    [steps, 1, inputs],
    [
      node('Cast', ['x'], 'floats', { to: 1 }),
      node('ms.DynamicQuantizeLSTM', ['floats', 'w', 'r', '', '', '', '', '', ...scales], 'result', {
        hidden_size: cells,
      }),
    ],
    [
      tensor('w_scale', 'float32', [1], [4e-6]),
      tensor('r_scale', 'float32', [1], [1e-3]),
      weightTensor('w', type, [1, inputs, 4 * cells], extremes(inputs * 4 * cells, 118, -128)),
      weightTensor('r', type, [1, cells, 4 * cells], recurrent),
      weightTensor('w_zero', type, [1], [0]),
    ],
  );
}

const channels = 8;
const side = 5;
const image = [1, channels, side, side];

function convForm(type: WeightType, write: () => readonly ReturnType<typeof node>[]): IntegerGraph {
  const filters = weightTensor(
    'w',
    type,
    [channels, channels, 3, 3],
    extremes(channels * channels * 9, 118, -128),
  );
  const zeros = weightTensor('w_zero', type, [channels], extremes(channels, -3, 2));
  const scales = tensor(
    'w_scale',
    'float32',
    [channels],
    Array.from({ length: channels }, (_, index) => 1 + index / 8),
  );
  return graphOf(image, write(), [...common, filters, zeros, scales]);
}

const qdqConv = (input: string, output: string) => [
  node('DequantizeLinear', [input, 'one', 'x_zero'], `${output}/x`),
  node('DequantizeLinear', ['w', 'w_scale', 'w_zero'], `${output}/w`, { axis: 0 }),
  node('Conv', [`${output}/x`, `${output}/w`], `${output}/y`, { kernel_shape: [3, 3], pads: [1, 1, 1, 1] }),
  node('QuantizeLinear', [`${output}/y`, 'scale', 'y_zero'], output),
];

const forms: Record<string, (type: WeightType) => IntegerGraph> = {
  MatMulInteger: (type) =>
    matrixForm(type, () => [node('MatMulInteger', ['x', 'w', 'x_zero', 'w_zero'], 'result')]),
  QLinearMatMul: (type) =>
    matrixForm(type, () => [
      node('QLinearMatMul', ['x', 'one', 'x_zero', 'w', 'one', 'w_zero', 'scale', 'y_zero'], 'result'),
    ]),
  QGemm: (type) =>
    matrixForm(type, () => [node('ms.QGemm', ['x', 'one', 'x_zero', 'w', 'one', 'w_zero'], 'result')]),
  MatMulIntegerToFloat: (type) =>
    matrixForm(type, () => [
      node('ms.MatMulIntegerToFloat', ['x', 'w', 'one', 'one', 'x_zero', 'w_zero'], 'result'),
    ]),
  DynamicQuantizeMatMul: (type) =>
    matrixForm(type, () => [
      node('Cast', ['x'], 'floats', { to: 1 }),
      node('ms.DynamicQuantizeMatMul', ['floats', 'w', 'one', 'w_zero'], 'result'),
    ]),
  DynamicQuantizeLSTM: (type) => lstmForm(type, 118),
  // Its weights are of one type, whichever of them would saturate.
  'DynamicQuantizeLSTM with small recurrent weights': (type) => lstmForm(type, 30),
  'DynamicQuantizeLinear and MatMulInteger': (type) =>
    matrixForm(type, () => [
      node('Cast', ['x'], 'floats', { to: 1 }),
      { ...node('DynamicQuantizeLinear', ['floats'], 'q'), output: ['q', 'q_scale', 'q_zero'] },
      node('MatMulInteger', ['q', 'w', 'q_zero', 'w_zero'], 'result'),
    ]),
  'a matrix of QDQ pairs': (type) =>
    matrixForm(type, () => [
      node('DequantizeLinear', ['x', 'one', 'x_zero'], 'x_float'),
      node('DequantizeLinear', ['w', 'one', 'w_zero'], 'w_float'),
      node('MatMul', ['x_float', 'w_float'], 'result'),
    ]),
  'a matrix that is transposed first': (type) =>
    matrixForm(type, () => [
      node('Transpose', ['w'], 'flat', { perm: [1, 0] }),
      node('Transpose', ['flat'], 'back', { perm: [1, 0] }),
      node('MatMulInteger', ['x', 'back', 'x_zero', 'w_zero'], 'result'),
    ]),
  'a matrix in an inner graph': (type) => {
    const inner = (op: string) => ({
      name: op,
      node: [node('MatMulInteger', ['x', 'w', 'x_zero', 'w_zero'], `${op}/y`)],
      output: [{ name: `${op}/y`, type: { tensorType: { elemType: 6 } } }],
    });
    return matrixForm(type, () => [
      node('ReduceMax', ['x'], 'greatest', { keepdims: 0 }),
      node('Greater', ['greatest', 'x_zero'], 'bright'),
      node('If', ['bright'], 'result', { then_branch: inner('then'), else_branch: inner('else') }),
    ]);
  },
  QLinearConv: (type) =>
    convForm(type, () => [
      node('QLinearConv', ['x', 'one', 'x_zero', 'w', 'w_scale', 'w_zero', 'scale', 'y_zero'], 'result', {
        kernel_shape: [3, 3],
      }),
    ]),
  'convolutions of QDQ pairs that share their weights and zero points': (type) =>
    convForm(type, () => [...qdqConv('x', 'first'), ...qdqConv('first', 'result')]),
};

const run = async ({ model, dims }: IntegerGraph, int8?: 'native' | 'unsigned-weights') => {
  const count = dims.reduce((product, each) => product * each, 1);
  const data = Uint8Array.from({ length: count }, (_, index) => pixels[index % pixels.length] ?? 0);
  return floats((await runGraph(writeModel(model), { x: { dims, data } }, int8))['y']);
};

describe('int8 weights give what the same weights as uint8 give', () => {
  test.each(Object.keys(forms))('in %s', async (name) => {
    const form = forms[name];
    if (form === undefined) throw new Error(name);
    // uint8 by uint8 is exact on every CPU.
    const expected = await run(form('uint8'), 'native');
    expect(await run(form('int8'), 'unsigned-weights')).toEqual(expected);
    expect(await run(form('int8'))).toEqual(expected);
    if ((await probeInt8Arithmetic()) === 'native')
      expect(await run(form('int8'), 'native')).toEqual(expected);
  });

  test('and the results of the definition', async () => {
    const expected = Array.from({ length: columns }, (_, column) =>
      pixels.reduce((sum, pixel, k) => sum + (pixel - 3) * ((matrix[k * columns + column] ?? 0) - 5), 0),
    );
    const form = forms['MatMulInteger'];
    expect(form && (await run(form('int8')))).toEqual(expected);
  });
});

test('the numbers of these tests exceed 16 bits: a CPU that saturates computes them incorrectly', async () => {
  const form = forms['MatMulInteger'];
  if (form === undefined) throw new Error('no such form');
  const isSame = (await run(form('int8'), 'native')).join() === (await run(form('uint8'), 'native')).join();
  expect(isSame).toBe((await probeInt8Arithmetic()) === 'native');
});

describe('graphs that need no change', () => {
  const quantised = (weights: 'int8' | 'uint8') => {
    const zeros = [tensor('signed', 'int8', [], [2]), weightTensor('w_zero', weights, [], [0])];
    const constants = [
      ...common,
      ...zeros,
      tensor(
        'w',
        weights,
        [depth, columns],
        matrix.map(Math.abs).map((each) => each % 127),
      ),
    ];
    const signed = [
      node('DequantizeLinear', ['x', 'one', 'x_zero'], 'floats'),
      node('QuantizeLinear', ['floats', 'scale', 'signed'], 'q'),
    ];
    return { constants, signed };
  };

  test('int8 by int8 stays, and runs', async () => {
    const { constants, signed } = quantised('int8');
    const inputs = ['q', 'scale', 'signed', 'w', 'one', 'w_zero', 'scale', 'signed'];
    const graph = graphOf(row, [...signed, node('QLinearMatMul', inputs, 'result')], constants);
    expect(withExactProducts(graph.model)).toBeUndefined();
    expect(await run(graph, 'unsigned-weights')).toHaveLength(columns);
  });

  test('weights too small to exceed 16 bits stay', () => {
    const small = matrix.map((each) => Math.max(-64, Math.min(64, each)));
    const graph = graphOf(
      row,
      [node('MatMulInteger', ['x', 'w'], 'result')],
      [tensor('w', 'int8', [depth, columns], small)],
    );
    expect(withExactProducts(graph.model)).toBeUndefined();
  });
});

test('weights without a zero point get one', async () => {
  const graphs = {
    MatMulInteger: graphOf(
      row,
      [node('MatMulInteger', ['x', 'w'], 'result')],
      [tensor('w', 'int8', [depth, columns], matrix)],
    ),
    QDQ: graphOf(
      row,
      [
        node('DequantizeLinear', ['x', 'one'], 'x_float'),
        node('DequantizeLinear', ['w', 'one'], 'w_float'),
        node('MatMul', ['x_float', 'w_float'], 'result'),
      ],
      [...common, tensor('w', 'int8', [depth, columns], matrix)],
    ),
  };
  const expected = Array.from({ length: columns }, (_, column) =>
    pixels.reduce((sum, pixel, k) => sum + pixel * (matrix[k * columns + column] ?? 0), 0),
  );
  for (const graph of Object.values(graphs)) expect(await run(graph, 'unsigned-weights')).toEqual(expected);
});

test('an image as int8 by weights as uint8 is exact too', async () => {
  const weights = tensor('w', 'uint8', [channels, channels, 3, 3], extremes(channels * channels * 9, 240, 3));
  const graph = graphOf(
    image,
    [
      node('DequantizeLinear', ['x', 'one', 'y_zero'], 'floats'),
      node('QuantizeLinear', ['floats', 'one', 'signed'], 'q'),
      node('ConvInteger', ['q', 'w', 'signed'], 'result', { kernel_shape: [3, 3] }),
    ],
    [...common, weights, tensor('signed', 'int8', [], [0])],
  );
  const values = weights.rawData ?? new Uint8Array();
  const given = await run(graph, 'unsigned-weights');
  const first = Array.from({ length: channels * 9 }, (_, k) => {
    const [channel, y, x] = [Math.floor(k / 9), Math.floor(k / 3) % 3, k % 3];
    return ((pixels[((channel * side + y) * side + x) % pixels.length] ?? 0) - 128) * (values[k] ?? 0);
  }).reduce((sum, each) => sum + each, 0);
  expect(given[0]).toBe(first);
});

test('weights that fit 16 bits are distinguished from those that do not', () => {
  const fits = (...numbers: number[]) => fitSixteenBits(tensor('w', 'int8', [numbers.length], numbers));
  expect(fits(64, 64, -64, -64)).toBe(true);
  expect(fits(127, 1, 1)).toBe(true);
  expect(fits(127, -128)).toBe(true);
  expect(fits(127, 2)).toBe(false);
  expect(fits(-128, -1)).toBe(false);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -128, max: 127 }), { maxLength: 8 }), (numbers) => {
      const pairs = numbers.flatMap((a, i) => numbers.slice(i + 1).map((b) => 255 * (a + b)));
      const single = numbers.map((a) => 255 * a);
      const isSafe = [...pairs, ...single].every((sum) => sum >= -32768 && sum <= 32767);
      expect(fits(...numbers)).toBe(isSafe);
    }),
  );
});

test('weights at the edge of 16 bits, which stay int8, are multiplied exactly here', async () => {
  const weights = fc.array(fc.constantFrom(64, -64, 63, 0), {
    minLength: depth * columns,
    maxLength: depth * columns,
  });
  await fc.assert(
    fc.asyncProperty(weights, async (numbers) => {
      const graph = (type: WeightType) =>
        graphOf(
          row,
          [node('MatMulInteger', ['x', 'w', 'x_zero', 'w_zero'], 'result')],
          [
            ...common,
            weightTensor('w', type, [depth, columns], numbers),
            weightTensor('w_zero', type, [], [0]),
          ],
        );
      expect(await run(graph('int8'), 'native')).toEqual(await run(graph('uint8'), 'native'));
    }),
    { numRuns: 10 },
  );
});
