import type { Node } from '../proto/model.js';
import { channelsOf, fillsBlocks } from './channels.js';
import { depthwise } from './depthwise.js';
import { floatTensor } from './float-tensor.js';
import { hardSwishInput } from './hard-sigmoid.js';
import { nodeOf, opOf } from './node.js';
import type { Replacement, RewritableGraph } from './rewritable-graph.js';

/**
 * x * HardSigmoid(x) as x * clip(x / 6 + 1/2, 0, 1) with a convolution of each channel by itself, which keeps the map in blocked
 * order. Not directly behind a convolution whose result nothing else reads: there ONNX Runtime merges all of it.
 * @param node The product.
 */
export function hardSwishInBlocks(graph: RewritableGraph, node: Node): Replacement | undefined {
  const x = hardSwishInput(graph, node);
  const [output] = node.output ?? [];
  const channels = channelsOf(graph, x);
  if (x === undefined || output === undefined || !fillsBlocks(channels)) return undefined;
  if (isMergedByRuntime(graph, x, node)) return undefined;
  const scale = new Float32Array(channels).fill(1 / 6);
  const shift = new Float32Array(channels).fill(1 / 2);
  const { node: line, constants } = depthwise(graph, x, graph.freshName('line'), { scale, shift });
  const limits = [
    floatTensor(graph.freshName('zero'), [], [0]),
    floatTensor(graph.freshName('one'), [], [1]),
  ];
  const inputs = [...(line.output ?? []), ...limits.map(({ name = '' }) => name)];
  const gate = nodeOf('Clip', inputs, graph.freshName('gate'));
  const product = nodeOf('Mul', [x, ...(gate.output ?? [])], output);
  return { nodes: [line, gate, product], constants: [...constants, ...limits] };
}

function isMergedByRuntime(graph: RewritableGraph, x: string, product: Node): boolean {
  const gates = graph.readersOf(x).filter((reader) => opOf(reader) === 'HardSigmoid');
  if (!graph.isReadOnlyBy(x, [product, ...gates]) || gates.length !== 1) return false;
  const producer = graph.producerOf(x);
  // A normalisation is merged into the convolution first.
  const before = opOf(producer) === 'BatchNormalization' ? graph.producerOf(producer?.input?.[0]) : producer;
  return opOf(before) === 'Conv';
}
