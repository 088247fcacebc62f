import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { excitationAsOneProduct } from './excitation.js';
import { compare, operatorsOf, runs, SmallGraph, seed } from './fixtures/small-graph.js';
import { writeHardSigmoid } from './hard-sigmoid.js';
import { hardSwishInBlocks } from './hard-swish.js';
import { float, integer } from './node.js';
import { preluInBlocks, writePrelu } from './prelu.js';
import { rewrite } from './rewrite.js';

/** clip(x + 3, low, high), with the constant on either side. */
function shiftedClip(
  graph: SmallGraph,
  x: string,
  [shift, low, high]: readonly number[],
  isFirst = false,
): string {
  const constant = graph.numbers([], [shift ?? 0]);
  const sum = graph.node('Add', isFirst ? [constant, x] : [x, constant]);
  return graph.node('Clip', [sum, graph.numbers([], [low ?? 0]), graph.numbers([], [high ?? 0])]);
}

const sixth = fc.constantFrom('divided', 'multiplied', 'multiplied first');
function dividedBySix(graph: SmallGraph, value: string, how: string): string {
  if (how === 'divided') return graph.node('Div', [value, graph.numbers([], [6])]);
  const factor = graph.numbers([1], [1 / 6]);
  return graph.node('Mul', how === 'multiplied' ? [value, factor] : [factor, value]);
}

describe('hard swish', () => {
  test('in each of its forms is a product with HardSigmoid', async () => {
    const form = fc.constantFrom('product, then sixth', 'sixth, then product', 'operator');
    const property = fc.asyncProperty(seed, form, sixth, fc.boolean(), async (start, how, by, isFirst) => {
      const graph = new SmallGraph(start);
      const x = graph.convolution('x', [3, 5]);
      const clipped = () => shiftedClip(graph, x, [3, 0, 6], isFirst);
      const last =
        how === 'operator'
          ? graph.node('HardSwish', [x])
          : how === 'sixth, then product'
            ? graph.node('Mul', [dividedBySix(graph, clipped(), by), x])
            : dividedBySix(graph, graph.node('Mul', [x, clipped()]), by);
      const { rewritten, difference } = await compare(graph.model([last]), [writeHardSigmoid]);
      expect(operatorsOf(rewritten)).toEqual(['Conv', 'HardSigmoid', 'Mul']);
      expect(difference).toBeLessThan(1e-4);
    });
    await fc.assert(property, runs);
  });

  test('stays in blocks where its input has another reader', async () => {
    const property = fc.asyncProperty(seed, async (start) => {
      const graph = new SmallGraph(start);
      const x = graph.convolution('x', [3, 16]);
      const swish = graph.node('HardSwish', [x]);
      const last = graph.node('Add', [swish, graph.convolution(x, [16, 16])]);
      const rules = [writeHardSigmoid, hardSwishInBlocks];
      const { rewritten, difference } = await compare(graph.model([last]), rules);
      expect(operatorsOf(rewritten)).toEqual(['Conv', 'Conv', 'Clip', 'Mul', 'Conv', 'Add']);
      expect(difference).toBeLessThan(1e-4);
    });
    await fc.assert(property, runs);
  });

  test('of a convolution that nothing else reads is left to the runtime', () => {
    const graph = new SmallGraph(1);
    const x = graph.normalisation(graph.convolution('x', [3, 16]), 16);
    const gate = graph.node('HardSigmoid', [x], [float('alpha', 1 / 6), float('beta', 0.5)]);
    const model = graph.model([graph.node('Mul', [x, gate])]);
    expect(rewrite(model, [hardSwishInBlocks])).toBe(model);
  });

  test.each([
    ['another shift', [2, 0, 6]],
    ['another lower limit', [3, -1, 6]],
    ['another upper limit', [3, 0, 5]],
  ])('with %s is something else', (_, numbers) => {
    const graph = new SmallGraph(2);
    const x = graph.convolution('x', [3, 16]);
    const product = graph.node('Mul', [x, shiftedClip(graph, x, numbers)]);
    const model = graph.model([dividedBySix(graph, product, 'divided')]);
    expect(rewrite(model, [writeHardSigmoid])).toBe(model);
  });

  test('with a clip of another value, and a product that is an output, stay', () => {
    const graph = new SmallGraph(3);
    const [x, other] = [graph.convolution('x', [3, 4]), graph.convolution('x', [3, 4])];
    const mixed = graph.node('Mul', [x, shiftedClip(graph, other, [3, 0, 6])]);
    const shown = graph.node('Mul', [x, shiftedClip(graph, x, [3, 0, 6])]);
    const sixths = [mixed, shown].map((value) => dividedBySix(graph, value, 'divided'));
    const model = graph.model([...sixths, shown]);
    expect(rewrite(model, [writeHardSigmoid])).toBe(model);
  });
});

describe('squeeze and excitation with a residual', () => {
  const build = (start: number, isShown: boolean) => {
    const graph = new SmallGraph(start);
    const x = graph.convolution('x', [3, 8]);
    const gate = graph.node('Sigmoid', [graph.convolution(graph.node('GlobalAveragePool', [x]), [8, 8])]);
    const product = graph.node('Mul', start % 2 === 0 ? [x, gate] : [gate, x]);
    const sum = graph.node('Add', start % 3 === 0 ? [x, product] : [product, x]);
    return graph.model(isShown ? [sum, product] : [sum]);
  };

  test('is one product', async () => {
    const property = fc.asyncProperty(seed, async (start) => {
      const { rewritten, difference } = await compare(build(start, false), [excitationAsOneProduct]);
      expect(operatorsOf(rewritten)).toEqual(['Conv', 'GlobalAveragePool', 'Conv', 'Sigmoid', 'Add', 'Mul']);
      expect(difference).toBeLessThan(1e-4);
    });
    await fc.assert(property, runs);
  });

  test('stays where the product is an output, or the gate is a whole map', () => {
    const shown = build(1, true);
    expect(rewrite(shown, [excitationAsOneProduct])).toBe(shown);
    const graph = new SmallGraph(2);
    const [x, map] = [graph.convolution('x', [3, 8]), graph.convolution('x', [3, 8])];
    const model = graph.model([graph.node('Add', [x, graph.node('Mul', [x, map])])]);
    expect(rewrite(model, [excitationAsOneProduct])).toBe(model);
  });
});

test('a gate of squeeze and excitation without a convolution of floats stays: its type is not known', () => {
  const graph = new SmallGraph(2);
  const x = graph.node('Cast', ['x'], [integer('to', 11)]);
  const gate = graph.node('Sigmoid', [graph.node('GlobalAveragePool', [x])]);
  const model = graph.model([graph.node('Add', [x, graph.node('Mul', [x, gate])])]);
  expect(rewrite(model, [excitationAsOneProduct])).toBe(model);
});

describe('PRelu', () => {
  test('gives the same numbers to the bit in blocks', async () => {
    const dims = fc.constantFrom<readonly number[]>([32, 1, 1], [1, 32, 1, 1], [1]);
    const property = fc.asyncProperty(seed, dims, async (start, shape) => {
      const graph = new SmallGraph(start);
      const active = graph.node('PRelu', [graph.convolution('x', [3, 32]), graph.random(shape, -0.5, 2)]);
      const last = graph.convolution(active, [32, 4], 3, 1);
      const { rewritten, difference } = await compare(graph.model([active, last]), [preluInBlocks]);
      expect(operatorsOf(rewritten)).toEqual(['Conv', 'Relu', 'Conv', 'Relu', 'Conv', 'Add', 'Conv']);
      expect(difference).toBeLessThan(1e-6);
    });
    await fc.assert(property, runs);
  });

  test('is recognised in the form of converters', async () => {
    const property = fc.asyncProperty(seed, fc.boolean(), async (start, isFirst) => {
      const graph = new SmallGraph(start);
      const x = graph.convolution('x', [3, 5]);
      const negative = graph.node('Neg', [graph.node('Relu', [graph.node('Neg', [x])])]);
      const product = graph.node('Mul', [graph.random([5, 1, 1]), negative]);
      const positive = graph.node('Relu', [x]);
      const last = graph.node('Add', isFirst ? [positive, product] : [product, positive]);
      const { rewritten, difference } = await compare(graph.model([last]), [writePrelu]);
      expect(operatorsOf(rewritten)).toEqual(['Conv', 'PRelu']);
      expect(difference).toBeLessThan(1e-6);
    });
    await fc.assert(property, runs);
  });

  test.each([
    ['a slope for each element', 16, [16, 6, 6]],
    ['channels that fill no block', 12, [12, 1, 1]],
  ])('with %s stays', (_, channels, dims) => {
    const graph = new SmallGraph(4);
    const model = graph.model([
      graph.node('PRelu', [graph.convolution('x', [3, channels]), graph.random(dims)]),
    ]);
    expect(rewrite(model, [preluInBlocks])).toBe(model);
  });

  test('with a computed slope, or of a map from elsewhere, stays', () => {
    const graph = new SmallGraph(5);
    const slope = graph.node('GlobalAveragePool', [graph.convolution('x', [3, 16])]);
    const computed = graph.node('PRelu', [graph.convolution('x', [3, 16]), slope]);
    const model = graph.model([computed, graph.node('PRelu', ['x', graph.random([3, 1, 1])])]);
    expect(rewrite(model, [preluInBlocks])).toBe(model);
  });
});
