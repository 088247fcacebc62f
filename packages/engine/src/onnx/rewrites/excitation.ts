import type { Node } from '../proto/model.js';
import { floatTensor } from './float-tensor.js';
import { isGate } from './gate.js';
import { nodeOf, opOf } from './node.js';
import type { Replacement, RewritableGraph } from './rewritable-graph.js';

/**
 * x + x * g as x * (1 + g), where g is the gate of squeeze and excitation (Hu et al. 2018): one pass over the map in the place of
 * two, since g has one number a channel.
 * @param node The sum.
 */
export function excitationAsOneProduct(graph: RewritableGraph, node: Node): Replacement | undefined {
  const [first = '', second = ''] = node.input ?? [];
  const [output] = node.output ?? [];
  if (opOf(node) !== 'Add' || output === undefined || first === second) return undefined;
  const [x, scaled] = reads(graph, second, first) ? [first, second] : [second, first];
  const product = graph.producerOf(scaled);
  if (product === undefined || !reads(graph, scaled, x)) return undefined;
  const gate = product.input?.find((name) => name !== x);
  if (gate === undefined || graph.onlyReaderOf(scaled) !== node || !isGate(graph, gate)) return undefined;
  const one = floatTensor(graph.freshName('one'), [], [1]);
  const sum = nodeOf('Add', [gate, one.name ?? ''], graph.freshName('gate'));
  return { nodes: [sum, nodeOf('Mul', [x, ...(sum.output ?? [])], output)], constants: [one] };
}

/** Whether `product` is a product with `x`. */
function reads(graph: RewritableGraph, product: string, x: string): boolean {
  const node = graph.producerOf(product);
  return opOf(node) === 'Mul' && node?.input?.length === 2 && node.input.includes(x);
}
