import type { Node } from '../proto/model.js';
import { type FloatTensor, floatTensor } from './float-tensor.js';
import { integer, integerAttribute, integersAttribute, isUnpadded, nodeOf, opOf } from './node.js';
import type { Replacement, RewritableGraph } from './rewritable-graph.js';

/** A transposed convolution that makes a block of side x side of every pixel. */
interface Blocks {
  readonly node: Node;
  /** [in,out,side,side] */
  readonly weights: FloatTensor;
  readonly bias: Float32Array | undefined;
  readonly in: number;
  readonly out: number;
  readonly side: number;
}

/** Of the products of a pixel: so many more are made up for by maps that need not be put in place; with 2.5 times as many it is slower. */
const maxGrowth = 1.5;

/** Activations of each number by itself. */
const pointwise = new Set(['Relu', 'Sigmoid', 'Tanh', 'HardSigmoid', 'LeakyRelu']);

/**
 * Two transposed convolutions, each of which makes a block of every pixel, with an activation between them: as two convolutions of
 * 1x1 over the small map, whose channels are put in their places at the end. The second one has its weights once for each place
 * of the first one's block, among zeros for the other places; where that is too much, both are left alone.
 * @param node The second one.
 */
export function transposedPair(graph: RewritableGraph, node: Node): Replacement | undefined {
  const second = blocksOf(graph, node);
  const [value] = node.input ?? [];
  const activation = graph.producerOf(value);
  const first = blocksOf(graph, graph.producerOf(activation?.input?.[0]));
  const [output] = node.output ?? [];
  if (!first || !second || activation === undefined || output === undefined) return undefined;
  if (!pointwise.has(opOf(activation)) || graph.onlyReaderOf(value) !== node) return undefined;
  if (graph.onlyReaderOf(first.node.output?.[0]) !== activation || first.out !== second.in) return undefined;
  const [inner, outer] = [first.side ** 2, (first.side * second.side) ** 2];
  if (products(first, second, inner) > maxGrowth * products(first, second, 1)) return undefined;
  const tensor = (hint: string, dims: readonly number[], numbers: ArrayLike<number>) =>
    floatTensor(graph.freshName(hint), dims, numbers);
  const constants = [
    tensor('weights', [inner * first.out, first.in, 1, 1], firstWeights(first)),
    tensor('bias', [inner * first.out], repeatedBias(first, inner)),
    tensor('weights', [outer * second.out, inner * first.out, 1, 1], secondWeights(first, second)),
    tensor('bias', [outer * second.out], repeatedBias(second, outer)),
  ];
  const [weights = '', bias = '', otherWeights = '', otherBias = ''] = constants.map(({ name = '' }) => name);
  const [small, active, places] = [
    graph.freshName('blocks'),
    graph.freshName('active'),
    graph.freshName('places'),
  ];
  return {
    nodes: [
      nodeOf('Conv', [first.node.input?.[0] ?? '', weights, bias], small),
      { ...activation, name: `${active}/${activation.opType ?? ''}`, input: [small], output: [active] },
      nodeOf('Conv', [active, otherWeights, otherBias], places),
      nodeOf('DepthToSpace', [places], output, [integer('blocksize', first.side * second.side)]),
    ],
    constants,
  };
}

/** Of a pixel of the small map, with the weights of the second one so many times. */
function products(first: Blocks, second: Blocks, times: number): number {
  const inner = first.side ** 2;
  return first.in * inner * first.out + inner * second.in * second.side ** 2 * second.out * times;
}

function blocksOf(graph: RewritableGraph, node: Node | undefined): Blocks | undefined {
  if (node === undefined || opOf(node) !== 'ConvTranspose' || !isUnpadded(node)) return undefined;
  const [, weightsName, biasName = ''] = node.input ?? [];
  const weights = graph.floats(weightsName);
  const bias = biasName === '' ? undefined : graph.floats(biasName)?.data;
  if (weights?.dims.length !== 4 || (biasName !== '' && bias === undefined)) return undefined;
  const [from = 0, out = 0, height = 0, width = 0] = weights.dims;
  const strides = integersAttribute(node, 'strides') ?? [1, 1];
  const others = ['dilations', 'output_padding', 'output_shape'] as const;
  const [dilations = [], padding = [], shape = []] = others.map(
    (name) => integersAttribute(node, name) ?? [],
  );
  const isSideBySide =
    height === width &&
    strides.every((stride) => stride === height) &&
    dilations.every((step) => step === 1) &&
    padding.every((pad) => pad === 0) &&
    shape.length === 0;
  if (!isSideBySide || integerAttribute(node, 'group', 1) !== 1) return undefined;
  return { node, weights, bias, in: from, out, side: height };
}

/** [place,out] x in, the places of a block row by row. */
function firstWeights({ weights: { data }, in: from, out, side }: Blocks): Float32Array {
  const placed = new Float32Array(data.length);
  for (let input = 0; input < from; input++) {
    for (let filter = 0; filter < out; filter++) {
      for (let place = 0; place < side ** 2; place++) {
        placed[(place * out + filter) * from + input] = data[(input * out + filter) * side ** 2 + place] ?? 0;
      }
    }
  }
  return placed;
}

/** [place in the block of blocks,out] x [place of the first,in]: each sees the channels of its own place alone. */
function secondWeights(first: Blocks, second: Blocks): Float32Array {
  const [columns, side] = [first.side ** 2 * first.out, first.side * second.side];
  const placed = new Float32Array(side ** 2 * second.out * columns);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const block = Math.floor(y / second.side) * first.side + Math.floor(x / second.side);
      const within = (y % second.side) * second.side + (x % second.side);
      for (let filter = 0; filter < second.out; filter++) {
        const row = (y * side + x) * second.out + filter;
        for (let input = 0; input < second.in; input++) {
          placed[row * columns + block * first.out + input] =
            second.weights.data[(input * second.out + filter) * second.side ** 2 + within] ?? 0;
        }
      }
    }
  }
  return placed;
}

function repeatedBias({ bias, out }: Blocks, times: number): Float32Array {
  return Float32Array.from({ length: out * times }, (_, at) => bias?.[at % out] ?? 0);
}
