import type { Node, TensorProto } from '../proto/model.js';
import { floatTensor } from './float-tensor.js';
import { integer, integers, nodeOf } from './node.js';
import type { RewritableGraph } from './rewritable-graph.js';

/**
 * x * scale + shift with a number each for every channel, as a convolution of each channel by itself: the only operator with
 * constants that ONNX Runtime runs in the blocked order of its convolutions.
 */
export function depthwise(
  graph: RewritableGraph,
  input: string,
  output: string,
  { scale, shift }: { readonly scale: ArrayLike<number>; readonly shift?: ArrayLike<number> },
): { readonly node: Node; readonly constants: readonly TensorProto[] } {
  const channels = scale.length;
  const weights = floatTensor(graph.freshName('scale'), [channels, 1, 1, 1], scale);
  const bias = shift && floatTensor(graph.freshName('shift'), [channels], shift);
  const constants = bias === undefined ? [weights] : [weights, bias];
  const attributes = [integers('kernel_shape', [1, 1]), integer('group', channels)];
  const inputs = [input, ...constants.map(({ name = '' }) => name)];
  return { node: nodeOf('Conv', inputs, output, attributes), constants };
}
