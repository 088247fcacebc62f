import type { Node } from '../proto/model.js';
import { opOf } from './node.js';
import type { Replacement, RewritableGraph } from './rewritable-graph.js';

/**
 * A zero point of its own for each constant of 8 bits. `GraphBuilder` shares equal ones, and ONNX Runtime refuses to change
 * shared ones: it cannot load such a model with its option `session.x64quantprecision` (1.30).
 * @param node The DequantizeLinear of a constant.
 */
export function ownZeroPoint(graph: RewritableGraph, node: Node): Replacement | undefined {
  if (opOf(node) !== 'DequantizeLinear') return undefined;
  const [weights, scale = '', zeroPoint] = node.input ?? [];
  const shared = graph.constant(zeroPoint);
  if (weights === undefined || shared === undefined || graph.constant(weights) === undefined)
    return undefined;
  if (graph.readersOf(zeroPoint).length < 2) return undefined;
  const own = { ...shared, name: graph.freshName('zero_point') };
  return { nodes: [{ ...node, input: [weights, scale, own.name] }], constants: [own] };
}
