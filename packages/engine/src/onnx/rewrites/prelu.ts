import type { Node } from '../proto/model.js';
import { channelsOf, fillsBlocks } from './channels.js';
import { depthwise } from './depthwise.js';
import { perChannel } from './float-tensor.js';
import { nodeOf, opOf } from './node.js';
import type { Replacement, RewritableGraph } from './rewritable-graph.js';

/**
 * PRelu with a slope for each channel as relu(x) - slope * relu(-x), where the two products are convolutions of each channel by
 * itself, so that the map stays in blocked order. It gives the same numbers to the bit: one of the two terms is zero.
 */
export function preluInBlocks(graph: RewritableGraph, node: Node): Replacement | undefined {
  const [x = '', slopeName] = node.input ?? [];
  const [output] = node.output ?? [];
  if (opOf(node) !== 'PRelu' || output === undefined) return undefined;
  const channels = channelsOf(graph, x);
  const slope = graph.floats(slopeName);
  if (slope === undefined || !fillsBlocks(channels)) return undefined;
  const slopes = perChannel(slope, channels, 4);
  if (slopes === undefined) return undefined;
  const positive = nodeOf('Relu', [x], graph.freshName('positive'));
  const minus = depthwise(graph, x, graph.freshName('minus'), { scale: slopes.map(() => -1) });
  const negative = nodeOf('Relu', minus.node.output ?? [], graph.freshName('negative'));
  const scaled = depthwise(graph, negative.output?.[0] ?? '', graph.freshName('scaled'), {
    scale: slopes.map((each) => -each),
  });
  const sum = nodeOf('Add', [...(scaled.node.output ?? []), ...(positive.output ?? [])], output);
  return {
    nodes: [positive, minus.node, negative, scaled.node, sum],
    constants: [...minus.constants, ...scaled.constants],
  };
}

/**
 * relu(x) + slope * -relu(-x), as TFLite's converters write it, as PRelu.
 * @param node The sum.
 */
export function writePrelu(graph: RewritableGraph, node: Node): Replacement | undefined {
  const [output] = node.output ?? [];
  if (opOf(node) !== 'Add' || output === undefined) return undefined;
  for (const [at, name] of (node.input ?? []).entries()) {
    const x = inputOf(graph, name, 'Relu');
    const product = graph.producerOf(node.input?.[1 - at]);
    if (x === undefined || opOf(product) !== 'Mul' || graph.onlyReaderOf(product?.output?.[0]) !== node)
      continue;
    const slope = product?.input?.find((factor) => graph.floats(factor) !== undefined);
    const negative = product?.input?.find((factor) => factor !== slope);
    const minus = inputOf(graph, inputOf(graph, inputOf(graph, negative, 'Neg'), 'Relu'), 'Neg');
    if (slope === undefined || minus !== x) continue;
    return { nodes: [nodeOf('PRelu', [x, slope], output)] };
  }
  return undefined;
}

/** What the node of that operator that gives `name` reads first. */
function inputOf(graph: RewritableGraph, name: string | undefined, op: string): string | undefined {
  const producer = graph.producerOf(name);
  return opOf(producer) === op ? producer?.input?.[0] : undefined;
}
