import { expect, test } from 'vitest';
import { floats, runGraph } from '../../fixtures/run-graph.js';
import { GraphBuilder } from '../../graph/graph-builder.js';
import { asDims } from '../../graph/storage.js';
import { type TinyOperator, type TinyTensor, writeTflite } from './fixtures/tiny-tflite.js';
import { importTflite } from './import-tflite.js';
import { readTfliteModel } from './tflite-model.js';

const float32 = 0;
const int32 = 2;

const bytesOf = (numbers: Float32Array | Int32Array) => new Uint8Array(numbers.buffer);

/** Runs one operator over `x`, with a constant as its second input. */
async function run(
  code: number,
  constant: TinyTensor,
  x: { readonly dims: readonly number[]; readonly data: Float32Array },
  outDims: readonly number[],
  options?: TinyOperator['options'],
): Promise<number[]> {
  const tensors = [
    { name: 'x', dims: x.dims, type: float32 },
    constant,
    { name: 'y', dims: outDims, type: float32 },
  ];
  const operator = { code, inputs: [0, 1], outputs: [2], ...(options && { options }) };
  const model = readTfliteModel(writeTflite({ tensors, operators: [operator], inputs: [0], outputs: [2] }));
  const builder = new GraphBuilder();
  const fed = builder.input('x', 'float32', x.dims);
  const y = importTflite(builder, model, 'float32', fed).get(2);
  if (y === undefined) throw new Error('no output');
  builder.output('y', asDims(builder, y), outDims);
  return floats((await runGraph(builder, { x }))['y']);
}

const pair = (a: number, b: number): TinyTensor => ({
  name: 'c',
  dims: [2],
  type: float32,
  data: bytesOf(Float32Array.of(a, b)),
});
const axes = (...list: number[]): TinyTensor => ({
  name: 'axes',
  dims: [list.length],
  type: int32,
  data: bytesOf(Int32Array.from(list)),
});
const x = { dims: [1, 2, 1, 2], data: Float32Array.of(1, -2, 3, 4) };

test.each([
  ['ADD', 0, [11, 18, 13, 24]],
  ['SUB', 41, [-9, -22, -7, -16]],
  ['MUL', 18, [10, -40, 30, 80]],
  ['DIV', 42, [0.1, -0.1, 0.3, 0.2]],
] as const)('%s computes with a number for each channel', async (_name, code, expected) => {
  expect(await run(code, pair(10, 20), x, x.dims)).toEqual(expected.map(Math.fround));
});

test('a fused ReLU is applied', async () => {
  expect(await run(18, pair(1, 1), x, x.dims, [{ byte: 1 }])).toEqual([1, 0, 3, 4]);
});

test.each([
  ['NEG', 59, [-1, 2, -3, -4]],
  ['ABS', 101, [1, 2, 3, 4]],
  ['EXP', 47, [Math.E, Math.exp(-2), Math.exp(3), Math.exp(4)]],
] as const)('%s', async (_name, code, expected) => {
  const given = await run(code, pair(0, 0), x, x.dims);
  given.forEach((number, index) => {
    expect(number).toBeCloseTo(expected[index] ?? Number.NaN, 4);
  });
});

test.each([
  ['SUM', 74, [4, 2]],
  ['REDUCE_MAX', 82, [3, 4]],
  ['REDUCE_MIN', 89, [1, -2]],
  ['MEAN', 40, [2, 1]],
] as const)('%s over some axes, kept as 1 or dropped', async (_name, code, expected) => {
  expect(await run(code, axes(1, -2), x, [1, 1, 1, 2], [{ byte: 1 }])).toEqual(expected);
  expect(await run(code, axes(2, 1), x, [1, 2])).toEqual(expected);
});

test.each([
  ['TANH', 28, Math.tanh],
  ['HARD_SWISH', 117, (v: number) => (v * Math.min(Math.max(v + 3, 0), 6)) / 6],
  ['ELU', 111, (v: number) => (v > 0 ? v : Math.expm1(v))],
  ['LEAKY_RELU', 98, (v: number) => Math.max(v, 0)],
] as const)('%s', async (_name, code, expected) => {
  const given = await run(code, pair(0, 0), x, x.dims);
  given.forEach((number, index) => {
    expect(number).toBeCloseTo(expected(x.data[index] ?? 0), 5);
  });
});

test.each([
  ['MAXIMUM', 55, [1, 0, 3, 4]],
  ['MINIMUM', 57, [0, -2, 0, 0]],
  ['PRELU', 54, [1, 0, 3, 4]],
] as const)('%s of two', async (_name, code, expected) => {
  const given = await run(code, pair(0, 0), x, x.dims);
  expect(given.map((number) => number + 0)).toEqual(expected);
});

test('PAD fills with zeros around an image', async () => {
  const pads = { ...axes(0, 0, 1, 0, 0, 1, 0, 0), dims: [4, 2] };
  expect(await run(34, pads, x, [1, 3, 2, 2])).toEqual([0, 0, 0, 0, 1, -2, 0, 0, 3, 4, 0, 0]);
});

test('TRANSPOSE, SQUEEZE and EXPAND_DIMS only move', async () => {
  expect(await run(39, axes(0, 3, 2, 1), x, [1, 2, 1, 2])).toEqual([1, 3, -2, 4]);
  expect(await run(43, axes(2), x, [1, 2, 2])).toEqual([...x.data]);
  expect(await run(70, axes(0), x, [1, 1, 2, 1, 2])).toEqual([...x.data]);
});

test('RESIZE_NEAREST_NEIGHBOR and RESIZE_BILINEAR go to the declared size', async () => {
  const doubled = [1, -2, 1, -2, 1, -2, 1, -2, 3, 4, 3, 4, 3, 4, 3, 4];
  expect(await run(97, axes(4, 2), x, [1, 4, 2, 2])).toEqual(doubled);
  const between = await run(23, axes(4, 1), x, [1, 4, 1, 2]);
  // From the corner, as TensorFlow does by default.
  expect(between).toEqual([1, -2, 2, 1, 3, 4, 3, 4]);
});

/** Runs one operator with further constants, giving all of its outputs. */
async function runMany(
  code: number,
  inputs: readonly ('x' | TinyTensor)[],
  outDims: readonly (readonly number[])[],
  options?: TinyOperator['options'],
): Promise<number[][]> {
  const tensors = [
    ...inputs.map((input) => (input === 'x' ? { name: 'x', dims: x.dims, type: float32 } : input)),
    ...outDims.map((dims, index) => ({ name: `y${index}`, dims, type: float32 })),
  ];
  const fedAt = inputs.indexOf('x');
  const outputs = outDims.map((_, index) => inputs.length + index);
  const operator = { code, inputs: inputs.map((_, index) => index), outputs, ...(options && { options }) };
  const model = readTfliteModel(writeTflite({ tensors, operators: [operator], inputs: [fedAt], outputs }));
  const builder = new GraphBuilder();
  const values = importTflite(builder, model, 'float32', builder.input('x', 'float32', x.dims));
  outputs.forEach((index, at) => {
    const value = values.get(index);
    if (value !== undefined) builder.output(`y${at}`, asDims(builder, value), outDims[at]);
  });
  const given = await runGraph(builder, { x });
  return outputs.map((_, at) => floats(given[`y${at}`]));
}

test('SLICE, STRIDED_SLICE and SPLIT select elements', async () => {
  const [sliced] = await runMany(65, ['x', axes(0, 1, 0, 0), axes(1, -1, 1, 1)], [[1, 1, 1, 1]]);
  expect(sliced).toEqual([3]);
  // Masks: every begin and end is open but those of the last axis, of which the second element is taken.
  const strided = ['x', axes(0, 0, 0, 1), axes(0, 0, 0, 2), axes(1, 1, 1, 1)] as const;
  expect(await runMany(45, strided, [[1, 2, 1]], [7, 7, 0, 0, 8])).toEqual([[-2, 4]]);
  const halves = [
    [1, 2, 1, 1],
    [1, 2, 1, 1],
  ];
  expect(await runMany(49, [{ ...axes(3), dims: [] }, 'x'], halves, [2])).toEqual([
    [1, 3],
    [-2, 4],
  ]);
});
