import fc from 'fast-check';
import { InferenceSession } from 'onnxruntime-node';
import { expect, test } from 'vitest';
import { writeModel } from '../proto/codec.js';
import type { Attribute } from '../proto/model.js';
import { averagePoolInFloats } from './average-pool.js';
import { compare, operatorsOf, runs, SmallGraph, seed } from './fixtures/small-graph.js';
import { integer, integers } from './node.js';
import { rewrite } from './rewrite.js';
import { ownZeroPoint } from './zero-points.js';

interface Steps {
  readonly type: 'uint8' | 'int8';
  readonly scale: number;
  readonly zeroPoint: number;
}

function scaleOf(graph: SmallGraph, { type, scale, zeroPoint }: Steps, name: string): string[] {
  const rawData = Uint8Array.of(zeroPoint & 255);
  const point = graph.tensor({ name, dims: [], dataType: type === 'uint8' ? 2 : 3, rawData });
  return [graph.numbers([], [scale]), point];
}

/** Quantised x, an average pool, and both again as floats. */
function pooled(
  graph: SmallGraph,
  from: Steps,
  to: Steps,
  attributes: readonly Attribute[] = [],
): { readonly result: string; readonly average: string } {
  const [before, after] = [scaleOf(graph, from, 'from'), scaleOf(graph, to, 'to')];
  const steps = graph.node('QuantizeLinear', ['x', ...before]);
  const map = graph.node('DequantizeLinear', [steps, ...before]);
  const average = graph.node('AveragePool', [map], [integers('kernel_shape', [3, 3]), ...attributes]);
  const stored = graph.node('QuantizeLinear', [average, ...after]);
  return { result: graph.node('DequantizeLinear', [stored, ...after]), average };
}

const scales = fc.record({
  type: fc.constantFrom('uint8' as const, 'int8' as const),
  scale: fc.constantFrom(0.03125, 0.0470588),
  zeroPoint: fc.integer({ min: 0, max: 127 }),
});
const plain: Steps = { type: 'uint8', scale: 0.05, zeroPoint: 120 };
const inFloats = ['QuantizeLinear', 'Cast', 'AveragePool', 'QuantizeLinear', 'DequantizeLinear'];

test('an average of 8-bit steps is computed in floats, with the same result', async () => {
  const property = fc.asyncProperty(seed, scales, async (start, steps) => {
    const graph = new SmallGraph(start);
    const { result } = pooled(graph, steps, steps);
    const { rewritten, difference } = await compare(graph.model([result]), [averagePoolInFloats]);
    expect(operatorsOf(rewritten)).toEqual(inFloats);
    // Of nine steps no average lies half way between two.
    expect(difference).toBeLessThan(1e-4);
  });
  await fc.assert(property, runs);
});

test('at a border, where averages lie half way between two steps, it differs by one step at most', async () => {
  const property = fc.asyncProperty(seed, scales, async (start, steps) => {
    const graph = new SmallGraph(start);
    const { result } = pooled(graph, steps, steps, [integers('pads', [1, 1, 1, 1])]);
    const { rewritten, difference } = await compare(graph.model([result]), [averagePoolInFloats]);
    expect(operatorsOf(rewritten)).toEqual(inFloats);
    expect(difference).toBeLessThan(1.01 * steps.scale);
  });
  await fc.assert(property, runs);
});

test.each([
  ['another scale', plain, { ...plain, scale: 0.06 }, []],
  ['another zero point', plain, { ...plain, zeroPoint: 3 }, []],
  ['another type', plain, { ...plain, type: 'int8' as const }, []],
  ['zeros around that count', plain, plain, [integer('count_include_pad', 1)]],
])('an average with %s stays as it is', (_, from, to, attributes) => {
  const graph = new SmallGraph(1);
  const model = graph.model([pooled(graph, from, to, attributes).result]);
  expect(rewrite(model, [averagePoolInFloats])).toBe(model);
});

test('an average that is an output stays as it is', () => {
  const graph = new SmallGraph(1);
  const { result, average } = pooled(graph, plain, plain);
  const model = graph.model([result, average]);
  expect(rewrite(model, [averagePoolInFloats])).toBe(model);
});

/** Two convolutions with int8 weights that share a zero point, as `GraphBuilder` writes them. */
function twoConvolutions(start: number) {
  const graph = new SmallGraph(start);
  const activation = scaleOf(graph, plain, 'steps');
  const [scale = '', point = ''] = scaleOf(graph, { type: 'int8', scale: 0.01, zeroPoint: 0 }, 'zero');
  const stepped = (value: string) => {
    const stored = graph.node('QuantizeLinear', [value, ...activation]);
    return graph.node('DequantizeLinear', [stored, ...activation]);
  };
  const convolution = (value: string, name: string) => {
    const rawData = Uint8Array.from({ length: 9 }, () => Math.floor(256 * graph.next()));
    const stored = graph.tensor({ name, dims: [3, 3, 1, 1].map(BigInt), dataType: 3, rawData });
    const weights = graph.node('DequantizeLinear', [stored, scale, point]);
    return stepped(graph.node('Conv', [value, weights]));
  };
  return graph.model([convolution(convolution(stepped('x'), 'first'), 'second')]);
}

test('each constant of 8 bits gets a zero point of its own', async () => {
  const property = fc.asyncProperty(seed, async (start) => {
    const { rewritten, difference } = await compare(twoConvolutions(start), [ownZeroPoint]);
    const weights = rewritten.graph.node?.filter(({ input = [] }) => /first|second/.test(input[0] ?? ''));
    const points = weights?.map(({ input = [] }) => input[2]);
    expect(new Set(points).size).toBe(2);
    expect(difference).toBe(0);
  });
  await fc.assert(property, runs);
});

test("a model loads with the runtime's option for exact 8-bit products only then", async () => {
  const load = (bytes: Uint8Array) =>
    InferenceSession.create(bytes, { extra: { session: { x64quantprecision: '1' } }, logSeverityLevel: 4 });
  const model = twoConvolutions(1);
  const session = await load(writeModel(rewrite(model, [ownZeroPoint])));
  await session.release();
});
