import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { affineAsConvolution } from './affine-as-convolution.js';
import { compare, operatorsOf, runs, SmallGraph, seed } from './fixtures/small-graph.js';
import { foldIntoConvolution } from './fold-into-convolution.js';
import { foldIntoNext } from './fold-into-next.js';
import { integer, integers } from './node.js';
import { rewrite } from './rewrite.js';

const channels = fc.constantFrom(1, 4, 16);
const scalarDims = fc.constantFrom<readonly number[]>([], [1], [1, 1, 1], [1, 1, 1, 1]);

/** An operator with a constant on one of its sides. */
interface Step {
  readonly op: string;
  readonly isFirst: boolean;
  readonly dims: readonly number[];
}
const step: fc.Arbitrary<Step> = fc.record({
  op: fc.constantFrom('Mul', 'Add', 'Sub', 'Div'),
  isFirst: fc.boolean(),
  dims: scalarDims,
});

function write(graph: SmallGraph, value: string, { op, isFirst, dims }: Step): string {
  const constant = graph.random(dims, 0.5, 2);
  const isTurned = isFirst && op !== 'Div';
  return graph.node(op, isTurned ? [constant, value] : [value, constant]);
}

describe('behind a convolution', () => {
  test('scales, shifts and normalisations become part of its weights', async () => {
    const property = fc.asyncProperty(
      seed,
      channels,
      fc.array(step, { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      async (start, count, steps, isNormalised) => {
        const graph = new SmallGraph(start);
        const map = graph.convolution('x', [3, count], 3, 1);
        const first = isNormalised ? graph.normalisation(map, count) : map;
        const last = steps.reduce((value, each) => write(graph, value, each), first);
        const { rewritten, difference } = await compare(graph.model([last]), [foldIntoConvolution]);
        expect(operatorsOf(rewritten)).toEqual(['Conv']);
        expect(difference).toBeLessThan(1e-4);
      },
    );
    await fc.assert(property, runs);
  });

  test('the groups of a transposed convolution each have their scale', async () => {
    const property = fc.asyncProperty(seed, fc.constantFrom(1, 3), async (start, group) => {
      const graph = new SmallGraph(start);
      const weights = graph.random([3, 2, 2, 2]);
      const strides = integers('strides', [2, 2]);
      const map = graph.node('ConvTranspose', ['x', weights], [strides, integer('group', group)]);
      const shifted = graph.node('Add', [map, graph.random([1, 2 * group, 1, 1])]);
      const last = graph.normalisation(shifted, 2 * group);
      const { rewritten, difference } = await compare(graph.model([last]), [foldIntoConvolution]);
      expect(operatorsOf(rewritten)).toEqual(['ConvTranspose']);
      expect(difference).toBeLessThan(1e-4);
    });
    await fc.assert(property, runs);
  });

  test('what the runtime merges by itself stays as it is', () => {
    const graph = new SmallGraph(1);
    const map = graph.normalisation(graph.convolution('x', [3, 4]), 4);
    const model = graph.model([graph.node('Add', [map, graph.random([4, 1, 1])])]);
    expect(rewrite(model, [foldIntoConvolution])).toBe(model);
  });

  test.each([
    ['a map that something else reads', (graph: SmallGraph, map: string) => [graph.node('Relu', [map])]],
    ['a map that is an output', (_: SmallGraph, map: string) => [map]],
  ])('%s is not scaled', (_, outputs) => {
    const graph = new SmallGraph(2);
    const map = graph.convolution('x', [3, 4]);
    const others = outputs(graph, map);
    const model = graph.model([graph.node('Mul', [map, graph.random([])]), ...others]);
    expect(rewrite(model, [foldIntoConvolution])).toBe(model);
  });

  test.each([
    ['a number for each row', [6, 1]],
    ['a number for each channel of more than one image', [2, 4, 1, 1]],
    ['a dim more', [1, 1, 1, 1, 1]],
    ['a number for each element', [4, 6, 6]],
  ])('%s stays a factor', (_, dims) => {
    const graph = new SmallGraph(3);
    const map = graph.convolution('x', [3, 4]);
    const model = graph.model([graph.node('Mul', [graph.random(dims), map])]);
    expect(rewrite(model, [foldIntoConvolution])).toBe(model);
  });

  test('an operand that is no constant, or that an input may replace, stays', () => {
    const graph = new SmallGraph(4);
    const map = graph.convolution('x', [3, 1]);
    const pooled = graph.node('GlobalAveragePool', ['x']);
    const computed = graph.model([graph.node('Mul', [graph.node('ReduceMax', [pooled]), map])]);
    expect(rewrite(computed, [foldIntoConvolution])).toBe(computed);

    const other = new SmallGraph(4);
    const factor = other.random([]);
    const scaled = other.node('Mul', [factor, other.convolution('x', [3, 1])]);
    const replaceable = other.model([scaled], {
      input: [{ name: factor, type: { tensorType: { elemType: 1 } } }],
    });
    expect(rewrite(replaceable, [foldIntoConvolution])).toBe(replaceable);
  });
});

describe('between two convolutions', () => {
  const build = (start: number, pad: number) => {
    const graph = new SmallGraph(start);
    const active = graph.node('HardSigmoid', [graph.convolution('x', [3, 16], 3, 1)]);
    const scaled = graph.node('Mul', [graph.random([1]), active]);
    const shifted = graph.node('Add', [scaled, graph.random([1])]);
    return { graph, last: graph.convolution(shifted, [16, 5], 3, pad), shifted };
  };

  test('a single number becomes part of the weights of the next one without a border', async () => {
    const property = fc.asyncProperty(seed, async (start) => {
      const { graph, last } = build(start, 0);
      const { rewritten, difference } = await compare(graph.model([last]), [foldIntoNext]);
      expect(operatorsOf(rewritten)).toEqual(['Conv', 'HardSigmoid', 'Conv']);
      expect(difference).toBeLessThan(1e-4);
    });
    await fc.assert(property, runs);
  });

  test('with a border it becomes a convolution of each channel by itself', async () => {
    const property = fc.asyncProperty(seed, async (start) => {
      const { graph, last, shifted } = build(start, 1);
      const rules = [foldIntoNext, affineAsConvolution, foldIntoConvolution];
      const { rewritten, difference } = await compare(graph.model([last]), rules);
      expect(operatorsOf(rewritten)).toEqual(['Conv', 'HardSigmoid', 'Conv', 'Conv']);
      expect(difference).toBeLessThan(1e-4);
      const shown = graph.model([last, shifted]);
      expect(rewrite(shown, [foldIntoNext])).toBe(shown);
    });
    await fc.assert(property, runs);
  });

  test('numbers for each channel, and channels that fill no block, stay as they are', () => {
    for (const [count, dims] of [[16, [16, 1, 1]] as const, [12, [1]] as const]) {
      const graph = new SmallGraph(5);
      const active = graph.node('Relu', [graph.convolution('x', [3, count])]);
      const shifted = graph.node('Add', [active, graph.random(dims)]);
      const model = graph.model([graph.convolution(shifted, [count, 2], 3, 1)]);
      expect(rewrite(model, [foldIntoNext, affineAsConvolution])).toBe(model);
    }
  });
});
