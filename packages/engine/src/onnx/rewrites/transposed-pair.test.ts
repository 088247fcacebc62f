import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Attribute } from '../proto/model.js';
import { compare, operatorsOf, runs, SmallGraph, seed } from './fixtures/small-graph.js';
import { integers } from './node.js';
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
      const active = graph.node(activation, [transposed(graph, 'x', [3, 18], first, { hasBias })]);
      const last = transposed(graph, active, [18, 2], second, { hasBias: !hasBias });
      const { rewritten, difference } = await compare(graph.model([last]), [transposedPair]);
      expect(operatorsOf(rewritten)).toEqual(['Conv', activation, 'Conv', 'DepthToSpace']);
      expect(difference).toBeLessThan(1e-4);
    },
  );
  await fc.assert(property, runs);
});

test('others stay as they are', () => {
  const variants: readonly ((graph: SmallGraph) => string[])[] = [
    (graph) => [transposed(graph, transposed(graph, 'x', [3, 8], 2), [8, 1], 2)],
    (graph) => [transposed(graph, graph.node('Relu', [transposed(graph, 'x', [3, 8], 2)]), [8, 3], 2)],
    (graph) => [
      transposed(graph, graph.node('Relu', [transposed(graph, 'x', [3, 8], 3, { stride: 2 })]), [8, 1], 2),
    ],
    (graph) => [
      transposed(graph, graph.node('Relu', [transposed(graph, 'x', [3, 8], 2)]), [8, 1], 2, {
        more: [integers('output_padding', [1, 1])],
      }),
    ],
    (graph) => {
      const first = transposed(graph, 'x', [3, 8], 2);
      return [transposed(graph, graph.node('Relu', [first]), [8, 1], 2), first];
    },
  ];
  for (const [index, variant] of variants.entries()) {
    const graph = new SmallGraph(index);
    const model = graph.model(variant(graph));
    expect(rewrite(model, [transposedPair])).toBe(model);
  }
});
