import type { Node } from '../proto/model.js';
import { opOf } from './node.js';
import type { Replacement, RewritableGraph } from './rewritable-graph.js';
import { sameSizeConvolution } from './same-size-convolution.js';

/** How many times as many channels a convolution must make for a pool to be better before it. */
const worthwhile = 2;

/**
 * The mean of a map that a convolution of 1x1 makes of one with fewer channels, as that convolution of the mean: fewer numbers
 * are added up, and `gatedConvolution` may leave the map itself without a reader. Alone it gains little.
 * @param node The pool over the whole map.
 */
export function poolBeforeConvolution(graph: RewritableGraph, node: Node): Replacement | undefined {
  const [map] = node.input ?? [];
  const [output] = node.output ?? [];
  const before = opOf(node) === 'GlobalAveragePool' ? graph.producerOf(map) : undefined;
  const convolution = sameSizeConvolution(graph, before);
  if (before === undefined || convolution?.side !== 1 || output === undefined) return undefined;
  const [out = 0, channels = 0] = convolution.weights.dims;
  if (out < worthwhile * channels) return undefined;
  const mean = graph.freshName('mean');
  const pool = { ...node, input: [convolution.input], output: [mean] };
  const [, ...weights] = before.input ?? [];
  const name = `${output}/Conv`;
  return { nodes: [pool, { ...before, name, input: [mean, ...weights], output: [output] }] };
}
