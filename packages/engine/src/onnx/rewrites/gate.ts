import type { TensorProto } from '../proto/model.js';
import { isUnpadded, opOf } from './node.js';
import type { RewritableGraph } from './rewritable-graph.js';

const passing = ['Conv', 'Relu', 'HardSigmoid', 'Sigmoid', 'Clip', 'Add'];

/**
 * Whether a value goes back to a pool over the whole map by way of convolutions and activations, as the gate of squeeze and
 * excitation does (Hu et al. 2018): [n,channels,1,1]. A convolution with f32 weights tells that it is f32.
 */
export function isGate(graph: RewritableGraph, name: string): boolean {
  let isFloat = false;
  let at = graph.producerOf(name);
  while (at !== undefined && passing.includes(opOf(at))) {
    const [, second] = at.input ?? [];
    if (opOf(at) === 'Conv') {
      if (!isUnpadded(at)) return false;
      isFloat ||= graph.floats(second) !== undefined;
    }
    if (opOf(at) === 'Add' && !isSingle(graph.constant(second))) return false;
    at = graph.producerOf(at.input?.[0]);
  }
  return isFloat && opOf(at) === 'GlobalAveragePool';
}

function isSingle(tensor: TensorProto | undefined): boolean {
  return (
    tensor !== undefined &&
    (tensor.dims ?? []).length <= 4 &&
    (tensor.dims ?? []).every((side) => side === 1n)
  );
}
