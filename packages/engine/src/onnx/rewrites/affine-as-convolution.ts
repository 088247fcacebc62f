import type { Node } from '../proto/model.js';
import { affineOf } from './affine.js';
import { channelsOf, fillsBlocks } from './channels.js';
import { depthwise } from './depthwise.js';
import { isUnpadded, opOf } from './node.js';
import type { Replacement, RewritableGraph } from './rewritable-graph.js';

/**
 * A single number that a map between convolutions is scaled or shifted by, where none of them can take it: as a convolution of
 * each channel by itself the map stays in blocked order. Of numbers for each channel no gain was measured.
 */
export function affineAsConvolution(graph: RewritableGraph, node: Node): Replacement | undefined {
  const output = node.output?.[0];
  if (!['Mul', 'Add', 'Sub', 'Div'].includes(opOf(node)) || output === undefined) return undefined;
  const channels = channelsOf(graph, output);
  if (!fillsBlocks(channels)) return undefined;
  const affine = affineOf(graph, node, channels, 4);
  if (!affine?.isUniform || channelsOf(graph, affine.input) !== channels) return undefined;
  // `foldIntoConvolution` and `foldIntoNext` give these to the convolution beside them.
  const isBehind =
    opOf(graph.producerOf(affine.input)) === 'Conv' && graph.onlyReaderOf(affine.input) === node;
  const next = graph.onlyReaderOf(output);
  const isBefore = next !== undefined && opOf(next) === 'Conv' && isUnpadded(next);
  if (isBehind || isBefore) return undefined;
  if (!graph.readersOf(output).some((reader) => opOf(reader) === 'Conv')) return undefined;
  const { node: convolution, constants } = depthwise(graph, affine.input, output, affine);
  return { nodes: [convolution], constants };
}
