import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Attribute } from '../proto/model.js';
import { compare, operatorsOf, runs, SmallGraph, seed } from './fixtures/small-graph.js';
import { integer, integers } from './node.js';
import { rewrite } from './rewrite.js';
import { transposedPair } from './transposed-pair.js';

function transposed(
  graph: SmallGraph,
  x: string,
  [from, out]: readonly [number, number],
  side: number,
  {
    hasBias = true,
    stride = side,
    more = [],
  }: { hasBias?: boolean; stride?: number; more?: readonly Attribute[] } = {},
): string {
  const weights = [graph.random([from, out, side, side]), ...(hasBias ? [graph.random([out])] : [])];
  return graph.node('ConvTranspose', [x, ...weights], [integers('strides', [stride, stride]), ...more]);
}

test('two transposed convolutions that make blocks are two of 1x1 and one change of places', async () => {
  const side = fc.integer({ min: 1, max: 3 });
  const property = fc.asyncProperty(
    seed,
    side,
    side,
    fc.boolean(),
    fc.constantFrom('Relu', 'Sigmoid', 'LeakyRelu'),
    async (start, first, second, hasBias, activation) => {
      const graph = new SmallGraph(start);
      const x = graph.convolution('x', [3, 300]);
      const active = graph.node(activation, [transposed(graph, x, [300, 4], first, { hasBias })]);
      const last = transposed(graph, active, [4, 1], second, { hasBias: !hasBias });
      const { rewritten, difference } = await compare(graph.model([last]), [transposedPair]);
      expect(operatorsOf(rewritten)).toEqual(['Conv', 'Conv', activation, 'Conv', 'DepthToSpace']);
      expect(difference).toBeLessThan(1e-4);
    },
  );
  await fc.assert(property, runs);
});

test('others stay as they are, and those whose weights would grow much', () => {
  const wide = (graph: SmallGraph) => graph.convolution('x', [3, 24]);
  const pair = (
    graph: SmallGraph,
    first: Parameters<typeof transposed>[4],
    second: Parameters<typeof transposed>[4],
    out = 1,
  ) => {
    const active = graph.node('Relu', [transposed(graph, wide(graph), [24, 24], 2, first)]);
    return [transposed(graph, active, [24, out], 2, second)];
  };
  const more = (attribute: Attribute) => ({ more: [attribute] });
  const variants: readonly ((graph: SmallGraph) => string[])[] = [
    (graph) => [transposed(graph, transposed(graph, wide(graph), [24, 24], 2), [24, 1], 2)],
    (graph) => {
      const softmax = graph.node('Softmax', [transposed(graph, wide(graph), [24, 24], 2)]);
      return [transposed(graph, softmax, [24, 1], 2)];
    },
    (graph) => pair(graph, {}, {}, 2),
    (graph) => pair(graph, { stride: 1 }, {}),
    (graph) => pair(graph, {}, more(integers('output_padding', [1, 1]))),
    (graph) => pair(graph, {}, more(integers('output_shape', [30, 30]))),
    (graph) => pair(graph, {}, more(integers('dilations', [2, 2]))),
    (graph) => pair(graph, more(integers('pads', [1, 1, 1, 1])), {}),
    (graph) => pair(graph, more(integer('group', 2)), {}),
    (graph) => {
      const first = transposed(graph, wide(graph), [24, 24], 2);
      return [transposed(graph, graph.node('Relu', [first]), [24, 1], 2), first];
    },
  ];
  for (const [index, variant] of variants.entries()) {
    const graph = new SmallGraph(index);
    const model = graph.model(variant(graph));
    expect(rewrite(model, [transposedPair]), String(index)).toBe(model);
  }
  const graph = new SmallGraph(99);
  const model = graph.model(pair(graph, {}, {}));
  expect(rewrite(model, [transposedPair])).not.toBe(model);
});
