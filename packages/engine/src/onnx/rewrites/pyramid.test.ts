import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Graph } from '../proto/model.js';
import { convolutionOfConcat } from './convolution-of-concat.js';
import { convolutionOfSum } from './convolution-of-sum.js';
import { compare, enlarge, operatorsOf, runs, SmallGraph, seed } from './fixtures/small-graph.js';
import { gatedConvolution } from './gated-convolution.js';
import { integer, integers } from './node.js';
import { poolBeforeConvolution } from './pool-before-convolution.js';
import { generalRewrites, rewrite, rewrites } from './rewrite.js';

const three = (graph: SmallGraph, x: string, channels: readonly [number, number]) =>
  graph.convolution(x, channels, 3, 1);

/** `x` at half of its sides, with other channels. */
function half(graph: SmallGraph, channels: number): string {
  const inputs = ['x', graph.random([channels, 3, 2, 2]), graph.random([channels])];
  return graph.node('Conv', inputs, [integers('strides', [2, 2])]);
}

/** A gate over the channels of a map. */
function gate(graph: SmallGraph, map: string, channels: number): string {
  const mean = graph.node('GlobalAveragePool', [map]);
  return graph.node('HardSigmoid', [graph.convolution(mean, [channels, channels])]);
}

describe('a convolution over the sum of a map and an enlarged one', () => {
  test('is the sum of two, one of them over the small map', async () => {
    const property = fc.asyncProperty(seed, fc.boolean(), async (start, isFirst) => {
      const graph = new SmallGraph(start);
      const large = graph.convolution('x', [3, 5]);
      const terms = [large, enlarge(graph, half(graph, 5), 2)];
      const sum = graph.node('Add', isFirst ? terms : terms.reverse());
      const { rewritten, difference } = await compare(graph.model([three(graph, sum, [5, 4])]), [
        convolutionOfSum,
      ]);
      expect(operatorsOf(rewritten).toSorted()).toEqual(
        ['Conv', 'Conv', 'Conv', 'DepthToSpace', 'Slice', 'Conv', 'Add'].toSorted(),
      );
      expect(difference).toBeLessThan(1e-4);
    });
    await fc.assert(property, runs);
  });

  test('stays where the sum has another reader, the kernel is of 1x1, or the enlarging is no repetition', () => {
    const sumOf = (graph: SmallGraph, mode?: string) =>
      graph.node('Add', [graph.convolution('x', [3, 5]), enlarge(graph, half(graph, 5), 2, mode)]);
    const shared = new SmallGraph(1);
    const sum = sumOf(shared);
    const small = new SmallGraph(2);
    const smooth = new SmallGraph(3);
    for (const model of [
      shared.model([three(shared, sum, [5, 4]), sum]),
      small.model([small.convolution(sumOf(small), [5, 4])]),
      smooth.model([three(smooth, sumOf(smooth, 'linear'), [5, 4])]),
    ]) {
      expect(rewrite(model, [convolutionOfSum])).toBe(model);
    }
  });
});

describe('a convolution over several maps', () => {
  test('sees the enlarged ones at half of the sides', async () => {
    const order = fc.shuffledSubarray([0, 1, 2, 3], { minLength: 1 });
    const property = fc.asyncProperty(seed, order, fc.boolean(), async (start, chosen, hasBias) => {
      const graph = new SmallGraph(start);
      const maps = [
        { map: graph.convolution('x', [3, 5]), channels: 5 },
        { map: enlarge(graph, half(graph, 4), 2), channels: 4 },
        { map: enlarge(graph, graph.node('GlobalAveragePool', [half(graph, 7)]), 6), channels: 7 },
        { map: graph.convolution('x', [3, 2]), channels: 2 },
      ];
      // One of them must be enlarged.
      const parts = [...new Set([1, ...chosen])].map((at) => maps[at] ?? { map: '', channels: 0 });
      const concat = graph.node(
        'Concat',
        parts.map(({ map }) => map),
        [integer('axis', 1)],
      );
      const channels = parts.reduce((sum, part) => sum + part.channels, 0);
      const weights = [graph.random([6, channels, 3, 3]), ...(hasBias ? [graph.random([6])] : [])];
      const last = graph.node('Conv', [concat, ...weights], [integers('pads', [1, 1, 1, 1])]);
      const { rewritten, difference } = await compare(graph.model([last]), [convolutionOfConcat]);
      expect(operatorsOf(rewritten)).toContain('DepthToSpace');
      expect(difference).toBeLessThan(1e-4);
    });
    await fc.assert(property, { numRuns: 30 });
  });

  test('takes the normalisation behind it, which would stand behind a sum otherwise', async () => {
    const graph = new SmallGraph(4);
    const parts = [graph.convolution('x', [3, 5]), enlarge(graph, half(graph, 4), 2)];
    const map = three(graph, graph.node('Concat', parts, [integer('axis', 1)]), [9, 6]);
    const model = graph.model([graph.node('Relu', [graph.normalisation(map, 6)])]);
    const { rewritten, difference } = await compare(model, generalRewrites);
    expect(operatorsOf(rewritten)).toContain('DepthToSpace');
    expect(operatorsOf(rewritten)).not.toContain('BatchNormalization');
    expect(difference).toBeLessThan(1e-4);
  });

  test('stays where none is enlarged, or they lie along another axis', () => {
    const plain = new SmallGraph(5);
    const maps = [plain.convolution('x', [3, 5]), plain.convolution('x', [3, 4])];
    const beside = new SmallGraph(6);
    const rows = [beside.convolution('x', [3, 5]), enlarge(beside, half(beside, 5), 2)];
    for (const model of [
      plain.model([three(plain, plain.node('Concat', maps, [integer('axis', 1)]), [9, 4])]),
      beside.model([three(beside, beside.node('Concat', rows, [integer('axis', 2)]), [5, 4])]),
    ]) {
      expect(rewrite(model, [convolutionOfConcat])).toBe(model);
    }
  });
});

describe('the mean of a map that a convolution of 1x1 widens', () => {
  test('is that convolution of the mean', async () => {
    const property = fc.asyncProperty(seed, fc.integer({ min: 6, max: 9 }), async (start, channels) => {
      const graph = new SmallGraph(start);
      const wide = graph.convolution('x', [3, channels]);
      const model = graph.model([graph.node('GlobalAveragePool', [wide]), wide]);
      const { rewritten, difference } = await compare(model, [poolBeforeConvolution]);
      expect(operatorsOf(rewritten)).toEqual(['Conv', 'GlobalAveragePool', 'Conv']);
      expect(difference).toBeLessThan(1e-4);
    });
    await fc.assert(property, runs);
  });

  test('stays behind convolutions that narrow, step, or see more than a pixel', () => {
    for (const [channels, kernel, pad] of [
      [5, 1, 0],
      [8, 3, 1],
      [8, 1, 1],
    ] as const) {
      const graph = new SmallGraph(7);
      const model = graph.model([
        graph.node('GlobalAveragePool', [graph.convolution('x', [3, channels], kernel, pad)]),
      ]);
      expect(rewrite(model, [poolBeforeConvolution])).toBe(model);
    }
    const steps = new SmallGraph(8);
    const map = steps.node('Conv', ['x', steps.random([8, 3, 1, 1])], [integers('strides', [2, 2])]);
    const model = steps.model([steps.node('GlobalAveragePool', [map])]);
    expect(rewrite(model, [poolBeforeConvolution])).toBe(model);
  });
});

describe('a gate between a convolution that widens and one that narrows', () => {
  /** @param factor how many times as wide the map becomes */
  function gated(graph: SmallGraph, side: 1 | 3, factor: number, hasBias = false): string {
    const wide = 2 * factor;
    const narrow = graph.convolution('x', [3, 2]);
    const widening = [graph.random([wide, 2, 1, 1]), ...(hasBias ? [graph.random([wide])] : [])];
    const map = graph.node('Conv', [narrow, ...widening]);
    const product = graph.node('Mul', [map, gate(graph, graph.convolution(narrow, [2, wide]), wide)]);
    return graph.convolution(product, [wide, 5], side, (side - 1) / 2);
  }

  test('is one convolution of the narrow map', async () => {
    const factor = fc.integer({ min: 4, max: 7 });
    const property = fc.asyncProperty(seed, fc.constantFrom(1, 3), factor, async (start, side, times) => {
      const graph = new SmallGraph(start);
      const { rewritten, difference } = await compare(graph.model([gated(graph, side, times)]), [
        gatedConvolution,
      ]);
      expect(operatorsOf(rewritten)).toContain('MatMul');
      expect(difference).toBeLessThan(1e-4);
    });
    await fc.assert(property, runs);
  });

  test('stays where the map is hardly wider, has a bias, or there may be several images', () => {
    const [little, biased, several] = [new SmallGraph(9), new SmallGraph(10), new SmallGraph(11)];
    const { graph, ...rest } = several.model([gated(several, 3, 4)]);
    const free: Graph = {
      ...graph,
      input: (graph.input ?? []).map((input) => ({ ...input, type: { tensorType: { elemType: 1 } } })),
    };
    for (const model of [
      little.model([gated(little, 3, 3)]),
      biased.model([gated(biased, 3, 4, true)]),
      { ...rest, graph: free },
    ]) {
      expect(rewrite(model, [gatedConvolution])).toBe(model);
    }
  });
});

test('of a pyramid as text detectors have it, neither the wide map nor the enlarged ones are made', async () => {
  const graph = new SmallGraph(12);
  const wide = graph.node('Conv', [graph.convolution('x', [3, 2]), graph.random([8, 2, 1, 1])]);
  const excited = graph.node('Add', [wide, graph.node('Mul', [wide, gate(graph, wide, 8)])]);
  const coarse = half(graph, 8);
  const sum = graph.node('Add', [excited, enlarge(graph, coarse, 2)]);
  const fine = graph.node('Conv', [sum, graph.random([4, 8, 3, 3])], [integers('pads', [1, 1, 1, 1])]);
  const maps = [enlarge(graph, three(graph, coarse, [8, 4]), 2), fine];
  const all = three(graph, graph.node('Concat', maps, [integer('axis', 1)]), [8, 4]);
  const model = graph.model([graph.node('Relu', [graph.normalisation(all, 4)])]);
  const { rewritten, difference } = await compare(model, Object.values(rewrites));
  expect(operatorsOf(rewritten)).toContain('MatMul');
  expect(operatorsOf(rewritten)).not.toContain('Resize');
  expect(difference).toBeLessThan(1e-4);
  const general = rewrite(model, generalRewrites);
  expect(operatorsOf(general)).not.toContain('MatMul');
});
