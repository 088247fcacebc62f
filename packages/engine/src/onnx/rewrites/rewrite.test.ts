import { expect, test } from 'vitest';
import { writeModel } from '../proto/codec.js';
import { AttributeType } from '../proto/model.js';
import { channelsOf } from './channels.js';
import { compare, operatorsOf, SmallGraph } from './fixtures/small-graph.js';
import { RewritableGraph } from './rewritable-graph.js';
import { rewrite, rewrites } from './rewrite.js';

/** A block as PP-OCR has them: a learnt scale and shift, hard swish, and the same again. */
function block(graph: SmallGraph, x: string, channels: readonly [number, number]): string {
  const affine = (value: string) => {
    const scaled = graph.node('Mul', [graph.random([1], 0.5, 1.5), value]);
    return graph.node('Add', [scaled, graph.random([1])]);
  };
  const map = affine(graph.convolution(x, channels, 3, 1));
  const sum = graph.node('Add', [map, graph.numbers([], [3])]);
  const clipped = graph.node('Clip', [sum, graph.numbers([], [0]), graph.numbers([], [6])]);
  return affine(graph.node('Div', [graph.node('Mul', [map, clipped]), graph.numbers([], [6])]));
}

test('all rewrites together leave the block of a text detector its convolutions and what the runtime merges', async () => {
  const graph = new SmallGraph(1);
  const first = block(graph, 'x', [3, 16]);
  const last = graph.convolution(block(graph, first, [16, 32]), [32, 4]);
  const { rewritten, difference } = await compare(graph.model([last]), Object.values(rewrites));
  expect(operatorsOf(rewritten)).toEqual([
    'Conv',
    'HardSigmoid',
    'Mul',
    'Conv',
    'Conv',
    'HardSigmoid',
    'Mul',
    'Conv',
  ]);
  expect(difference).toBeLessThan(1e-4);
});

test('what was rewritten is not rewritten again', () => {
  const graph = new SmallGraph(2);
  const once = rewrite(graph.model([graph.convolution(block(graph, 'x', [3, 16]), [16, 4], 3, 1)]));
  expect(rewrite(once)).toBe(once);
});

test('the same model is rewritten to the same bytes', () => {
  const bytes = () => {
    const graph = new SmallGraph(3);
    return writeModel(rewrite(graph.model([block(graph, 'x', [3, 16])])));
  };
  expect(Buffer.compare(bytes(), bytes())).toBe(0);
});

test('constants and nodes that only the old form used are left out', () => {
  const graph = new SmallGraph(4);
  const { initializer = [], node = [] } = rewrite(graph.model([block(graph, 'x', [3, 5])])).graph;
  const read = new Set(node.flatMap(({ input = [] }) => input));
  expect(initializer.filter(({ name = '' }) => !read.has(name))).toEqual([]);
});

test('a value that a graph inside a node reads is kept', () => {
  const graph = new SmallGraph(5);
  const map = graph.convolution('x', [3, 4]);
  const scaled = graph.node('Mul', [map, graph.random([])]);
  const branch = {
    node: [{ opType: 'Identity', input: [map], output: ['inner'] }],
    output: [{ name: 'inner' }],
  };
  const model = graph.model([
    scaled,
    graph.node('If', [graph.random([])], [{ name: 'then_branch', type: AttributeType.graph, g: branch }]),
  ]);
  expect(rewrite(model)).toBe(model);
});

test('operators of other domains, and models with functions of their own, stay as they are', () => {
  const graph = new SmallGraph(6);
  const scaled = graph.node('Mul', [graph.convolution('x', [3, 4]), graph.random([])]);
  const model = graph.model([scaled]);
  const node = model.graph.node?.map((each) => ({ ...each, domain: 'com.example' })) ?? [];
  const foreign = { ...model, graph: { ...model.graph, node } };
  expect(rewrite(foreign)).toBe(foreign);
  const withFunctions = { ...model, functions: [{ name: 'Own', domain: 'com.example' }] };
  expect(rewrite(withFunctions)).toBe(withFunctions);
});

test('the channels of a chain of products are found, in a time that does not double with each', () => {
  const graph = new SmallGraph(7);
  let value = graph.convolution('x', [3, 8]);
  for (let count = 0; count < 23; count += 1) value = graph.node('Mul', [value, value]);
  const built = new RewritableGraph(graph.model([value]).graph);
  const start = performance.now();
  expect(channelsOf(built, value)).toBe(8);
  expect(performance.now() - start).toBeLessThan(1000);
});
