import type { Node } from '../proto/model.js';
import { type Affine, affineOf } from './affine.js';
import { type FloatTensor, floatTensor } from './float-tensor.js';
import { integerAttribute, opOf } from './node.js';
import type { Replacement, RewritableGraph } from './rewritable-graph.js';

interface Convolution {
  readonly node: Node;
  readonly weights: FloatTensor;
  readonly bias: Float32Array | undefined;
  /** Channels that it writes. */
  readonly channels: number;
}

const foldable = new Set(['Mul', 'Add', 'Sub', 'Div', 'BatchNormalization']);

/**
 * A scale and shift of each channel after a convolution, as part of its weights: (W x + b) s + t = (s W) x + (s b + t). Left alone
 * where ONNX Runtime does the same when it loads the model, so that such graphs stay as they are.
 * @param node The scale, the shift or the normalisation.
 */
export function foldIntoConvolution(graph: RewritableGraph, node: Node): Replacement | undefined {
  return fold(graph, node, hasOneOfOurs);
}

/** @param isWanted asked before a fold into a convolution that is not transposed. */
export function fold(
  graph: RewritableGraph,
  node: Node,
  isWanted: (graph: RewritableGraph, node: Node, convolution: Convolution) => boolean = () => true,
): Replacement | undefined {
  if (!foldable.has(opOf(node))) return undefined;
  const before = (node.input ?? []).map((name) => graph.producerOf(name)).find(isConvolution);
  const convolution = before && readConvolution(graph, before);
  if (before === undefined || convolution === undefined) return undefined;
  const { weights, channels, bias } = convolution;
  const affine = affineOf(graph, node, channels, weights.dims.length);
  const output = before.output?.[0];
  if (affine === undefined || affine.input !== output || graph.onlyReaderOf(output) !== node)
    return undefined;
  if (opOf(before) === 'Conv' && !isWanted(graph, node, convolution)) return undefined;
  const scaled = floatTensor(
    graph.freshName('weights'),
    weights.dims,
    weights.data.map((weight, index) => weight * (affine.scale[channelOf(index, convolution)] ?? 1)),
  );
  const shifted = floatTensor(
    graph.freshName('bias'),
    [channels],
    affine.shift.map((shift, channel) => (bias?.[channel] ?? 0) * (affine.scale[channel] ?? 1) + shift),
  );
  const input = [before.input?.[0] ?? '', scaled.name ?? '', shifted.name ?? ''];
  return { nodes: [{ ...before, input, output: node.output ?? [] }], constants: [scaled, shifted] };
}

function isConvolution(node: Node | undefined): boolean {
  return ['Conv', 'ConvTranspose'].includes(opOf(node));
}

function readConvolution(graph: RewritableGraph, node: Node): Convolution | undefined {
  const [, weightsName, biasName] = node.input ?? [];
  const weights = graph.floats(weightsName);
  const bias = biasName ? graph.floats(biasName) : undefined;
  if (weights === undefined || (biasName && bias === undefined)) return undefined;
  const [first = 0, second = 0] = weights.dims;
  const channels = opOf(node) === 'Conv' ? first : second * integerAttribute(node, 'group', 1);
  return { node, weights, bias: bias?.data, channels };
}

/** The channel that a weight adds to: [out, in / groups, …], and [in, out / groups, …] of a transposed convolution. */
function channelOf(index: number, { node, weights }: Convolution): number {
  const [first = 1, second = 1, ...kernel] = weights.dims;
  const inner = kernel.reduce((product, side) => product * side, 1);
  const row = Math.floor(index / (second * inner));
  if (opOf(node) === 'Conv') return row;
  const group = Math.floor(row / (first / integerAttribute(node, 'group', 1)));
  return group * second + (Math.floor(index / inner) % second);
}

/** Whether what follows the convolution, one behind the other, has anything that the runtime does not merge. */
function hasOneOfOurs(graph: RewritableGraph, first: Node, { channels, weights }: Convolution): boolean {
  let at: Node | undefined = first;
  while (at !== undefined) {
    const affine: Affine | undefined = affineOf(graph, at, channels, weights.dims.length);
    if (affine === undefined) return false;
    if (!affine.isMergedByRuntime) return true;
    at = graph.onlyReaderOf(at.output?.[0]);
  }
  return false;
}
