import type { Node } from '../proto/model.js';
import { opOf } from './node.js';
import type { RewritableGraph } from './rewritable-graph.js';

const passing = ['Conv', 'Relu', 'HardSigmoid', 'Sigmoid', 'Clip'];

/**
 * Whether a value goes back to a pool over the whole map by way of convolutions and activations, as the gate of squeeze and
 * excitation does (Hu et al. 2018): [n,channels,1,1]. It is f32 where a convolution has f32 weights.
 * @param accepts asked about each convolution
 */
export function isGate(
  graph: RewritableGraph,
  name: string | undefined,
  accepts: (convolution: Node) => boolean = () => true,
): boolean {
  let isFloat = false;
  let at = graph.producerOf(name);
  while (at !== undefined && passing.includes(opOf(at))) {
    if (opOf(at) === 'Conv') {
      if (!accepts(at)) return false;
      isFloat ||= graph.floats(at.input?.[1]) !== undefined;
    }
    at = graph.producerOf(at.input?.[0]);
  }
  return isFloat && opOf(at) === 'GlobalAveragePool';
}
