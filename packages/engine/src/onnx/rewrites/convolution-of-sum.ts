import type { Node } from '../proto/model.js';
import { channelsOf } from './channels.js';
import { convolveDoubled, enlargeByHalf, enlargedBy, joined } from './enlarged.js';
import { gatedMap } from './gated-convolution.js';
import { nodeOf, opOf } from './node.js';
import type { Replacement, RewritableGraph } from './rewritable-graph.js';
import { sameSizeConvolution } from './same-size-convolution.js';

/**
 * A convolution over the sum of a gated map and an enlarged one, as in feature pyramids (Lin et al. 2017): the sum of two
 * convolutions, one of which needs no enlarged map, and the other is one for `gatedConvolution`. Other sums are left alone: together
 * the two have more products.
 *
 * Both maps must have the same sides; a graph does not state whether one is a single pixel that is broadcast.
 * @param node The convolution.
 */
export function convolutionOfSum(graph: RewritableGraph, node: Node): Replacement | undefined {
  const sum = graph.producerOf(node.input?.[0]);
  const [output] = node.output ?? [];
  if (sum === undefined || opOf(sum) !== 'Add' || output === undefined) return undefined;
  const convolution = sameSizeConvolution(graph, node);
  if (convolution?.side !== 3 || graph.onlyReaderOf(convolution.input) !== node || !graph.isForOneImage)
    return undefined;
  const { weights, bias } = convolution;
  const [out = 0, channels = 0] = weights.dims;
  const terms = sum.input ?? [];
  if (terms.some((name) => channelsOf(graph, name) !== channels)) return undefined;
  const enlarged = terms.map((name) => enlargedBy(graph, name));
  const at = enlarged.findIndex((each) => each !== undefined);
  const [term, other] = [enlarged[at], terms[1 - at]];
  if (term === undefined || other === undefined) return undefined;
  if (gatedMap(graph, other, channels) === undefined || graph.onlyReaderOf(other) !== sum) return undefined;
  const half = enlargeByHalf(graph, term);
  const kernel = { out, in: channels, weights: weights.data, bias: undefined };
  const doubled = graph.freshName('doubled');
  const rest = { ...node, input: [other, node.input?.[1] ?? '', ...bias], output: [graph.freshName('rest')] };
  const { nodes, constants } = joined([half, convolveDoubled(graph, half.value, kernel, doubled)]);
  return { nodes: [...nodes, rest, nodeOf('Add', [...rest.output, doubled], output)], constants };
}
