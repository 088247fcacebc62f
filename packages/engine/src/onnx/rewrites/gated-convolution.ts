import type { Node } from '../proto/model.js';
import { channelsOf } from './channels.js';
import { floatTensor } from './float-tensor.js';
import { isGate } from './gate.js';
import { integerTensor } from './integer-tensor.js';
import { integers, isUnpadded, nodeOf, opOf } from './node.js';
import type { Replacement, RewritableGraph } from './rewritable-graph.js';
import { type SameSizeConvolution, sameSizeConvolution } from './same-size-convolution.js';

/** How many times as wide a map must be as the one that it is made of. */
const worthwhile = 4;

/** A narrow map, widened by a convolution of 1x1 and scaled by a gate. */
interface Gated {
  readonly gate: string;
  readonly widening: SameSizeConvolution;
}

/** What makes a map of so many channels, where that is a gated one and nothing else reads what is in between. */
export function gatedMap(
  graph: RewritableGraph,
  name: string | undefined,
  channels: number,
): Gated | undefined {
  const product = graph.producerOf(name);
  if (product === undefined || opOf(product) !== 'Mul') return undefined;
  const factors = product.input ?? [];
  const gate = factors.find((factor) => isGate(graph, beforeShift(graph, factor), isUnpadded));
  const map = factors.find((factor) => factor !== gate);
  const widening = sameSizeConvolution(graph, graph.producerOf(map));
  if (gate === undefined || widening?.side !== 1 || widening.bias.length > 0) return undefined;
  if (graph.onlyReaderOf(map) !== product || channelsOf(graph, gate) !== channels) return undefined;
  const [wide = 0, narrow = 0] = widening.weights.dims;
  // Of a pool itself there is nothing to save, and it is a single pixel that would be broadcast.
  const isSmall = isGate(graph, map);
  return !isSmall && wide === channels && wide >= worthwhile * narrow ? { gate, widening } : undefined;
}

/** The gate g of 1 + g, as `excitationAsOneProduct` leaves it; other values as they are. */
function beforeShift(graph: RewritableGraph, name: string): string | undefined {
  const sum = graph.producerOf(name);
  const [value, constant] = sum?.input ?? [];
  const dims = graph.constant(constant)?.dims ?? [];
  const isShift = opOf(sum) === 'Add' && graph.constant(constant) !== undefined && dims.length === 0;
  return isShift ? value : name;
}

/**
 * A gated map, narrowed by another convolution: as one convolution of the narrow map, whose weights are put together at run time. With
 * weights U and W and gates g, W (g * (U x)) = (W diag(g) U) x. The wide map is never made. Convolutions with such weights are not
 * run in blocks and take about twice as long a product.
 *
 * With one image at a time: each image has gates of its own.
 * @param node The second convolution.
 */
export function gatedConvolution(graph: RewritableGraph, node: Node): Replacement | undefined {
  const [value] = node.input ?? [];
  const [output] = node.output ?? [];
  if (opOf(graph.producerOf(value)) !== 'Mul' || graph.onlyReaderOf(value) !== node) return undefined;
  const convolution = sameSizeConvolution(graph, node);
  if (convolution === undefined || output === undefined || !graph.isForOneImage) return undefined;
  const gated = gatedMap(graph, value, convolution.weights.dims[1] ?? 0);
  if (gated === undefined) return undefined;
  const { gate, widening } = gated;
  const { weights, bias, side } = convolution;
  const [out = 0, wide = 0] = weights.dims;
  const [, narrow = 0] = widening.weights.dims;
  const widens = floatTensor(graph.freshName('widening'), [wide, narrow], widening.weights.data);
  const narrows = floatTensor(
    graph.freshName('narrowing'),
    [out * side * side, wide],
    channelsLast(weights.data, wide, side * side),
  );
  const column = integerTensor(graph.freshName('column'), [wide, 1]);
  const kernel = integerTensor(graph.freshName('kernel'), [out, side, side, narrow]);
  const steps = ['gate', 'gated', 'product', 'rows', 'weights'].map((hint) => graph.freshName(hint));
  const [gates = '', scaled = '', joint = '', rows = '', chosen = ''] = steps;
  const name = ({ name = '' }: { readonly name?: string }) => name;
  return {
    nodes: [
      nodeOf('Reshape', [gate, name(column)], gates),
      nodeOf('Mul', [name(widens), gates], scaled),
      nodeOf('MatMul', [name(narrows), scaled], joint),
      nodeOf('Reshape', [joint, name(kernel)], rows),
      nodeOf('Transpose', [rows], chosen, [integers('perm', [0, 3, 1, 2])]),
      { ...node, input: [widening.input, chosen, ...bias] },
    ],
    constants: [widens, narrows, column, kernel],
  };
}

/** Weights [out,in,kernel] as [out,kernel,in]. */
function channelsLast(weights: Float32Array, channels: number, kernel: number): Float32Array {
  return weights.map((_, index) => {
    const [channel, row] = [index % channels, Math.floor(index / channels)];
    const [tap, filter] = [row % kernel, Math.floor(row / kernel)];
    return weights[(filter * channels + channel) * kernel + tap] ?? 0;
  });
}
