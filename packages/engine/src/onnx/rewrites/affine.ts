import type { Node } from '../proto/model.js';
import { type FloatTensor, perChannel } from './float-tensor.js';
import { floatAttribute, integerAttribute, opOf } from './node.js';
import type { RewritableGraph } from './rewritable-graph.js';

/** A node that computes `input` * scale + shift, with a number each for every channel. */
export interface Affine {
  readonly input: string;
  readonly scale: Float64Array;
  readonly shift: Float64Array;
  /**
   * ONNX Runtime merges it into a convolution before it by itself: a normalisation, or a product or sum whose constant is
   * its second input and has one number a channel.
   */
  readonly isMergedByRuntime: boolean;
  /** All channels have the same scale and the same shift, from a constant of one element. */
  readonly isUniform: boolean;
}

type Side = 0 | 1;

/** What a node computes of a map [n,channels,…] of `rank` dims, where that is a scale and a shift of each channel. */
export function affineOf(
  graph: RewritableGraph,
  node: Node | undefined,
  channels: number,
  rank: number,
): Affine | undefined {
  if (node === undefined) return undefined;
  if (opOf(node) === 'BatchNormalization') return normalisation(graph, node, channels);
  const [first, second] = node.input ?? [];
  if (node.input?.length !== 2 || first === undefined || second === undefined) return undefined;
  const side: Side = graph.constant(first) === undefined ? 1 : 0;
  const tensor = graph.constant(second) && side === 0 ? undefined : graph.floats(side === 0 ? first : second);
  const numbers = tensor && perChannel(tensor, channels, rank);
  if (tensor === undefined || numbers === undefined) return undefined;
  const parts = scaleAndShift(opOf(node), side, Float64Array.from(numbers));
  if (parts === undefined || ![...parts.scale, ...parts.shift].every(Number.isFinite)) return undefined;
  const isMergedByRuntime =
    side === 1 && isListOfChannels(tensor, channels) && /^(Add|Mul)$/.test(opOf(node));
  const isUniform = tensor.data.length === 1;
  return { input: side === 0 ? second : first, ...parts, isMergedByRuntime, isUniform };
}

function scaleAndShift(
  op: string,
  side: Side,
  constant: Float64Array,
): Pick<Affine, 'scale' | 'shift'> | undefined {
  const [ones, zeros] = [constant.map(() => 1), constant.map(() => 0)];
  switch (op) {
    case 'Mul':
      return { scale: constant, shift: zeros };
    case 'Add':
      return { scale: ones, shift: constant };
    case 'Sub':
      return side === 1
        ? { scale: ones, shift: constant.map((each) => -each) }
        : { scale: ones.map((one) => -one), shift: constant };
    case 'Div':
      return side === 1 ? { scale: constant.map((each) => 1 / each), shift: zeros } : undefined;
    default:
      return undefined;
  }
}

/** Batch normalisation in inference: (x - mean) / sqrt(variance + epsilon) * scale + bias. */
function normalisation(graph: RewritableGraph, node: Node, channels: number): Affine | undefined {
  const [input, ...names] = node.input ?? [];
  const tensors = names.map((name) => graph.floats(name));
  const [scale, bias, mean, variance] = tensors.map((tensor) => tensor?.data);
  const isPlain =
    integerAttribute(node, 'training_mode', 0) === 0 &&
    integerAttribute(node, 'spatial', 1) === 1 &&
    node.output?.length === 1 &&
    tensors.every((tensor) => tensor?.data.length === channels);
  if (!isPlain || input === undefined || !scale || !bias || !mean || !variance) return undefined;
  const epsilon = floatAttribute(node, 'epsilon', 1e-5);
  const factors = Float64Array.from(scale, (each, at) => each / Math.sqrt((variance[at] ?? 0) + epsilon));
  const shift = Float64Array.from(bias, (each, at) => each - (mean[at] ?? 0) * (factors[at] ?? 0));
  if (![...factors, ...shift].every(Number.isFinite)) return undefined;
  return { input, scale: factors, shift, isMergedByRuntime: true, isUniform: false };
}

function isListOfChannels({ data }: FloatTensor, channels: number): boolean {
  return data.length === channels && channels > 1;
}
