import type { Node } from '../proto/model.js';
import { channelsOf } from './channels.js';
import { convolveDoubled, enlargeByHalf, enlargedBy, joined } from './enlarged.js';
import { nodeOf, opOf } from './node.js';
import type { Replacement, RewritableGraph } from './rewritable-graph.js';
import { sameSizeConvolution } from './same-size-convolution.js';

/**
 * A convolution over the sum of a map and an enlarged one, as in feature pyramids (Lin et al. 2017): the sum of two
 * convolutions, one of which needs no enlarged map, and the other may become cheaper by what its map is made of.
 *
 * For nets that are known alone: both maps must have the same sides, and a graph does not tell that none is one pixel that counts for
 * all.
 * @param node The convolution.
 */
export function convolutionOfSum(graph: RewritableGraph, node: Node): Replacement | undefined {
  const convolution = sameSizeConvolution(graph, node);
  const [output] = node.output ?? [];
  const sum = graph.producerOf(convolution?.input);
  if (convolution?.side !== 3 || output === undefined || sum === undefined || opOf(sum) !== 'Add')
    return undefined;
  if (graph.onlyReaderOf(convolution.input) !== node) return undefined;
  const { weights, bias } = convolution;
  const [out = 0, channels = 0] = weights.dims;
  const terms = sum.input ?? [];
  if (terms.some((name) => channelsOf(graph, name) !== channels)) return undefined;
  const enlarged = terms.map((name) => enlargedBy(graph, name));
  const at = enlarged.findIndex((each) => each !== undefined);
  const [term, other] = [enlarged[at], terms[1 - at]];
  if (term === undefined || other === undefined || at < 0) return undefined;
  const half = enlargeByHalf(graph, term);
  const kernel = { out, in: channels, weights: weights.data, bias: undefined };
  const doubled = graph.freshName('doubled');
  const rest = { ...node, input: [other, node.input?.[1] ?? '', ...bias], output: [graph.freshName('rest')] };
  const { nodes, constants } = joined([half, convolveDoubled(graph, half.value, kernel, doubled)]);
  return { nodes: [...nodes, rest, nodeOf('Add', [...rest.output, doubled], output)], constants };
}
