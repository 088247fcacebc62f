import type { Node, TensorProto } from '../proto/model.js';
import { floatTensor } from './float-tensor.js';
import { integerTensor } from './integer-tensor.js';
import { integer, integers, integersAttribute, nodeOf, opOf, string, stringAttribute } from './node.js';
import type { Replacement, RewritableGraph } from './rewritable-graph.js';

/** A map that repeats each pixel of another one `factor` times along both sides. */
export interface Enlarged {
  readonly input: string;
  /** 2, 4, 6, … */
  readonly factor: number;
  /** The region, which nothing reads, but which a Resize must have before opset 13; '' where there is none. */
  readonly region: string;
}

export function enlargedBy(graph: RewritableGraph, name: string): Enlarged | undefined {
  const node = graph.producerOf(name);
  const [input, region = '', scalesName, sizes = ''] = node?.input ?? [];
  if (node === undefined || opOf(node) !== 'Resize' || input === undefined) return undefined;
  const isRepetition =
    (stringAttribute(node, 'mode') ?? 'nearest') === 'nearest' &&
    stringAttribute(node, 'coordinate_transformation_mode') === 'asymmetric' &&
    stringAttribute(node, 'nearest_mode') === 'floor' &&
    sizes === '' &&
    integersAttribute(node, 'axes') === undefined &&
    (region === '' || graph.constant(region) !== undefined);
  const [images, channels, height = 0, width = 0] = graph.floats(scalesName)?.data ?? [];
  const isEven = height === width && height >= 2 && height % 2 === 0;
  return isRepetition && images === 1 && channels === 1 && isEven
    ? { input, factor: height, region }
    : undefined;
}

/** @returns `input` enlarged by half of `factor`, and the nodes for it: none where that leaves it as it is. */
export function enlargeByHalf(
  graph: RewritableGraph,
  { input, factor, region }: Enlarged,
): { readonly value: string } & Replacement {
  if (factor === 2) return { value: input, nodes: [], constants: [] };
  const scales = floatTensor(graph.freshName('scales'), [4], [1, 1, factor / 2, factor / 2]);
  const value = graph.freshName('enlarged');
  const node = nodeOf('Resize', [input, region, scales.name ?? ''], value, [
    string('mode', 'nearest'),
    string('coordinate_transformation_mode', 'asymmetric'),
    string('nearest_mode', 'floor'),
  ]);
  return { value, nodes: [node], constants: [scales] };
}

interface KernelOfThree {
  readonly out: number;
  readonly in: number;
  /** [out,in,3,3] */
  readonly weights: Float32Array;
  /** [out] */
  readonly bias: Float32Array | undefined;
}

/**
 * A convolution of 3x3 over `input` enlarged to twice its sides, without the enlarged map and with little more than 4 in 9 of the
 * products. Of three neighbours in a line two repeat the same pixel, so that four kernels of 2x2 over `input`, one for each of the four
 * repetitions of a pixel, take the place of one of 3x3.
 *
 * All four are run around each corner between pixels of `input`, those of its border included. Interleaved, they are the output
 * with one row or column too many at each side.
 */
export function convolveDoubled(
  graph: RewritableGraph,
  input: string,
  kernel: KernelOfThree,
  output: string,
): Replacement {
  const corners = floatTensor(
    graph.freshName('corners'),
    [4 * kernel.out, kernel.in, 2, 2],
    cornersOf(kernel),
  );
  const { bias } = kernel;
  const biases = bias && floatTensor(graph.freshName('bias'), [4 * kernel.out], repeat(bias, 4));
  const inner = [
    [1, 1],
    [-1, -1],
    [2, 3],
  ].map((numbers) => integerTensor(graph.freshName('inner'), numbers));
  const constants = [corners, ...(biases ? [biases] : []), ...inner];
  const weights = constants.slice(0, biases ? 2 : 1).map(({ name = '' }) => name);
  const [places, interleaved] = [graph.freshName('places'), graph.freshName('interleaved')];
  const nodes = [
    nodeOf('Conv', [input, ...weights], places, [
      integers('kernel_shape', [2, 2]),
      integers('pads', [1, 1, 1, 1]),
    ]),
    nodeOf('DepthToSpace', [places], interleaved, [integer('blocksize', 2)]),
    nodeOf('Slice', [interleaved, ...inner.map(({ name = '' }) => name)], output),
  ];
  return { nodes, constants };
}

/** Which of the three taps in a line fall on the pixel before a corner, and which on the one behind it. */
const taps = [
  // Around the last repetition of the pixel before it.
  [[0, 1], [2]],
  // Around the first repetition of the pixel behind it.
  [[0], [1, 2]],
] as const;

/** [repetition,out] x [in,2,2], the repetitions in the order of DepthToSpace: by row, then by column. */
function cornersOf({ out, in: channels, weights }: KernelOfThree): Float32Array {
  const corners = new Float32Array(4 * out * channels * 4);
  let at = 0;
  for (const rows of taps) {
    for (const columns of taps) {
      for (let pair = 0; pair < out * channels; pair++) {
        for (const row of rows) {
          for (const column of columns) {
            let sum = 0;
            for (const y of row) for (const x of column) sum += weights[pair * 9 + y * 3 + x] ?? 0;
            corners[at++] = sum;
          }
        }
      }
    }
  }
  return corners;
}

function repeat(numbers: Float32Array, times: number): Float32Array {
  const repeated = new Float32Array(numbers.length * times);
  for (let time = 0; time < times; time++) repeated.set(numbers, time * numbers.length);
  return repeated;
}

/** Nodes and constants of several replacements, as one. */
export function joined(parts: readonly Replacement[]): {
  readonly nodes: Node[];
  readonly constants: TensorProto[];
} {
  return {
    nodes: parts.flatMap(({ nodes }) => nodes),
    constants: parts.flatMap(({ constants = [] }) => constants),
  };
}
