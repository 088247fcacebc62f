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
] as const)('%s reckons with a number for each channel', async (_name, code, expected) => {
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
