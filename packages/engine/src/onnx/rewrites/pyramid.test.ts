import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Model } from '../proto/model.js';
import { convolutionOfConcat } from './convolution-of-concat.js';
import { convolutionOfSum } from './convolution-of-sum.js';
import {
  compare,
  type Enlarging,
  enlarge,
  operatorsOf,
  runs,
  SmallGraph,
  seed,
} from './fixtures/small-graph.js';
import { gatedConvolution } from './gated-convolution.js';
import { integer, integers } from './node.js';
import { poolBeforeConvolution } from './pool-before-convolution.js';
import { pyramidRewrites, rewrite, rewrites, roundingRewrites } from './rewrite.js';

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

/** A map of `wide` channels, made of one with a fourth of them and scaled by a gate. */
function gatedMap(graph: SmallGraph, wide: number, gateChannels = wide, from = 'x'): string {
  const narrow = graph.convolution(from, [3, wide / 4]);
  const map = graph.node('Conv', [narrow, graph.random([wide, wide / 4, 1, 1])]);
  const scale = gate(graph, graph.convolution(narrow, [wide / 4, gateChannels]), gateChannels);
  return graph.node('Mul', [map, scale]);
}

/** The same, whose input does not say that it has one image. */
function ofSeveralImages({ graph, ...rest }: Model): Model {
  const input = (graph.input ?? []).map((each) => ({ ...each, type: { tensorType: { elemType: 1 } } }));
  return { ...rest, graph: { ...graph, input } };
}

describe('a convolution over the sum of a gated map and an enlarged one', () => {
  test('is the sum of two, one of them over the small map', async () => {
    const property = fc.asyncProperty(seed, fc.boolean(), async (start, isFirst) => {
      const graph = new SmallGraph(start);
      const terms = [gatedMap(graph, 8), enlarge(graph, half(graph, 8), 2)];
      const sum = graph.node('Add', isFirst ? terms : terms.reverse());
      const model = graph.model([three(graph, sum, [8, 4])]);
      const { rewritten, difference } = await compare(model, [convolutionOfSum]);
      expect(operatorsOf(rewritten)).toContain('DepthToSpace');
      expect(operatorsOf(rewritten)).not.toContain('Resize');
      expect(difference).toBeLessThan(1e-4);
    });
    await fc.assert(property, runs);
  });

  test('stays with another reader, a kernel of 1x1, a map that has no gate, or one that may be a single pixel', () => {
    const sumOf = (graph: SmallGraph, map = gatedMap(graph, 8)) =>
      graph.node('Add', [map, enlarge(graph, half(graph, 8), 2)]);
    const variants: readonly ((graph: SmallGraph) => string[])[] = [
      (graph) => {
        const sum = sumOf(graph);
        return [three(graph, sum, [8, 4]), sum];
      },
      (graph) => [graph.convolution(sumOf(graph), [8, 4])],
      (graph) => [three(graph, sumOf(graph, graph.convolution('x', [3, 8])), [8, 4])],
      (graph) => [
        three(graph, sumOf(graph, gatedMap(graph, 8, 8, graph.node('GlobalAveragePool', ['x']))), [8, 4]),
      ],
      (graph) => {
        const map = gatedMap(graph, 8);
        return [three(graph, sumOf(graph, map), [8, 4]), map];
      },
    ];
    for (const [index, variant] of variants.entries()) {
      const graph = new SmallGraph(index);
      const model = graph.model(variant(graph));
      expect(rewrite(model, [convolutionOfSum]), String(index)).toBe(model);
    }
    const graph = new SmallGraph(9);
    const model = ofSeveralImages(graph.model([three(graph, sumOf(graph), [8, 4])]));
    expect(rewrite(model, [convolutionOfSum])).toBe(model);
  });
});

describe('a convolution over several maps', () => {
  const axis = (at: number) => [integer('axis', at)];

  test('sees the enlarged ones at half of the sides', async () => {
    const order = fc.shuffledSubarray([0, 1, 2, 3]);
    const opset = fc.constantFrom(11n, 13n, 17n);
    const property = fc.asyncProperty(
      seed,
      order,
      opset,
      fc.boolean(),
      async (start, chosen, version, hasBias) => {
        const graph = new SmallGraph(start);
        const pooled = graph.node('GlobalAveragePool', [half(graph, 7)]);
        const maps = [
          { map: graph.convolution('x', [3, 5]), channels: 5 },
          { map: enlarge(graph, half(graph, 64), 2), channels: 64 },
          { map: enlarge(graph, pooled, 6), channels: 7 },
          { map: graph.convolution('x', [3, 2]), channels: 2 },
        ];
        const parts = [...new Set([...chosen, 1])].map((at) => maps[at] ?? { map: '', channels: 0 });
        const names = parts.map(({ map }) => map);
        const channels = parts.reduce((sum, part) => sum + part.channels, 0);
        const weights = [graph.random([6, channels, 3, 3]), ...(hasBias ? [graph.random([6])] : [])];
        const concat = graph.node('Concat', names, axis(1));
        const last = graph.node('Conv', [concat, ...weights], [integers('pads', [1, 1, 1, 1])]);
        const model = { ...graph.model([last]), opsetImport: [{ domain: '', version }] };
        const { rewritten, difference } = await compare(model, [convolutionOfConcat]);
        expect(operatorsOf(rewritten)).toContain('DepthToSpace');
        expect(difference).toBeLessThan(1e-4);
      },
    );
    await fc.assert(property, { numRuns: 40 });
  });

  test('takes the normalisation behind it, which would stand behind a sum otherwise', async () => {
    const graph = new SmallGraph(4);
    const parts = [graph.convolution('x', [3, 5]), enlarge(graph, half(graph, 64), 2)];
    const map = three(graph, graph.node('Concat', parts, axis(1)), [69, 6]);
    const model = graph.model([graph.node('Relu', [graph.normalisation(map, 6)])]);
    const { rewritten, difference } = await compare(model, Object.values(pyramidRewrites));
    expect(operatorsOf(rewritten)).toContain('DepthToSpace');
    expect(operatorsOf(rewritten)).not.toContain('BatchNormalization');
    expect(difference).toBeLessThan(1e-4);
  });

  test('stays where few are enlarged, or in another way, or it does not see all of them', () => {
    const over = (graph: SmallGraph, map: string, out = 4, channels = 67) =>
      graph.node(
        'Conv',
        [
          graph.node('Concat', [graph.convolution('x', [3, 3]), map], axis(1)),
          graph.random([out, channels, 3, 3]),
        ],
        [integers('pads', [1, 1, 1, 1])],
      );
    const enlarged = (options: Enlarging) => (graph: SmallGraph) => [
      over(graph, enlarge(graph, half(graph, 64), 2, options)),
    ];
    const variants: readonly ((graph: SmallGraph) => string[])[] = [
      enlarged({ mode: 'linear' }),
      enlarged({ coordinates: 'half_pixel' }),
      enlarged({ rounding: 'ceil' }),
      enlarged({ factors: [2, 4] }),
      enlarged({ factors: [3, 3] }),
      enlarged({ more: [integers('axes', [0, 1, 2, 3])] }),
      (graph) => [over(graph, graph.convolution('x', [3, 64]))],
      (graph) => [over(graph, enlarge(graph, half(graph, 63), 2), 4, 66)],
      (graph) => [over(graph, enlarge(graph, half(graph, 64), 2), 33)],
      (graph) => {
        const concat = graph.node('Concat', [enlarge(graph, half(graph, 64), 2)], axis(1));
        return [three(graph, concat, [64, 4]), concat];
      },
      (graph) => [three(graph, graph.node('Concat', [enlarge(graph, half(graph, 64), 2)], axis(2)), [64, 4])],
      (graph) => {
        const concat = graph.node('Concat', [enlarge(graph, half(graph, 64), 2)], axis(1));
        const bias = graph.node('Identity', [graph.random([4])]);
        return [
          graph.node('Conv', [concat, graph.random([4, 64, 3, 3]), bias], [integers('pads', [1, 1, 1, 1])]),
        ];
      },
      (graph) => {
        const concat = graph.node('Concat', [enlarge(graph, half(graph, 64), 2)], axis(1));
        const attributes = [integers('pads', [2, 2, 2, 2]), integers('dilations', [2, 2])];
        return [graph.node('Conv', [concat, graph.random([4, 64, 3, 3])], attributes)];
      },
    ];
    for (const [index, variant] of variants.entries()) {
      const graph = new SmallGraph(index);
      const model = graph.model(variant(graph));
      expect(rewrite(model, [convolutionOfConcat]), String(index)).toBe(model);
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

  test('stays behind convolutions that hardly widen, step, or see more than a pixel', () => {
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

  test('stays where the map is hardly wider, has a bias, one gate for all, or there may be several images', () => {
    const [little, biased, several] = [new SmallGraph(9), new SmallGraph(10), new SmallGraph(11)];
    const single = new SmallGraph(13);
    for (const model of [
      little.model([gated(little, 3, 3)]),
      biased.model([gated(biased, 3, 4, true)]),
      single.model([three(single, gatedMap(single, 8, 1), [8, 5])]),
      ofSeveralImages(several.model([gated(several, 3, 4)])),
    ]) {
      expect(rewrite(model, [gatedConvolution])).toBe(model);
    }
  });
});

test('of a pyramid as text detectors have it, neither the wide map nor the enlarged ones are made', async () => {
  const graph = new SmallGraph(12);
  const wide = graph.node('Conv', [graph.convolution('x', [3, 8]), graph.random([32, 8, 1, 1])]);
  const excited = graph.node('Add', [wide, graph.node('Mul', [wide, gate(graph, wide, 32)])]);
  const coarse = half(graph, 32);
  const sum = graph.node('Add', [excited, enlarge(graph, coarse, 2)]);
  const fine = graph.node('Conv', [sum, graph.random([4, 32, 3, 3])], [integers('pads', [1, 1, 1, 1])]);
  const maps = [enlarge(graph, three(graph, coarse, [32, 64]), 2), fine];
  const all = three(graph, graph.node('Concat', maps, [integer('axis', 1)]), [68, 4]);
  const model = graph.model([graph.node('Relu', [graph.normalisation(all, 4)])]);
  const chosen = [...Object.values(rewrites), ...Object.values(pyramidRewrites)];
  const { rewritten, difference } = await compare(model, chosen);
  expect(operatorsOf(rewritten)).toContain('MatMul');
  expect(operatorsOf(rewritten)).not.toContain('Resize');
  expect((rewritten.graph.node ?? []).flatMap(({ output = [] }) => output)).not.toContain(wide);
  expect(difference).toBeLessThan(1e-4);
  expect(operatorsOf(rewrite(model, roundingRewrites))).toContain('Resize');
});
