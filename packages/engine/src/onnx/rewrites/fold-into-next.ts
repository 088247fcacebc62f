import type { Node } from '../proto/model.js';
import { affineOf } from './affine.js';
import { channelsOf } from './channels.js';
import { floatTensor } from './float-tensor.js';
import { integerAttribute, isUnpadded, opOf } from './node.js';
import type { Replacement, RewritableGraph } from './rewritable-graph.js';

/**
 * A single number that a map is scaled or shifted by, before a convolution without a border, as part of its weights:
 * W (s x + t) + b = (W s) x + (W t + b). Around a map with a border there would be zeros of another meaning. Only behind another
 * convolution: the image's own scale stays in the recipe's terms. Of numbers for each channel no gain was measured.
 * @param node The convolution.
 */
export function foldIntoNext(graph: RewritableGraph, node: Node): Replacement | undefined {
  if (opOf(node) !== 'Conv' || !isUnpadded(node)) return undefined;
  const [value, weightsName, biasName] = node.input ?? [];
  const before = graph.producerOf(value);
  const channels = channelsOf(graph, value);
  if (before === undefined || channels === undefined || graph.onlyReaderOf(value) !== node) return undefined;
  const affine = affineOf(graph, before, channels, 4);
  const weights = graph.floats(weightsName);
  const bias = biasName ? graph.floats(biasName) : undefined;
  if (!affine?.isUniform || weights === undefined || (biasName && bias === undefined)) return undefined;
  const groups = integerAttribute(node, 'group', 1);
  const [out = 0, inPerGroup = 0, height = 1, width = 1] = weights.dims;
  if (weights.dims.length !== 4 || inPerGroup * groups !== channels || out % groups !== 0) return undefined;
  const kernel = height * width;
  const biases = Float64Array.from({ length: out }, (_, filter) => bias?.data[filter] ?? 0);
  const scaled = weights.data.map((weight, index) => {
    const filter = Math.floor(index / (inPerGroup * kernel));
    const channel =
      Math.floor(filter / (out / groups)) * inPerGroup + (Math.floor(index / kernel) % inPerGroup);
    biases[filter] = (biases[filter] ?? 0) + weight * (affine.shift[channel] ?? 0);
    return weight * (affine.scale[channel] ?? 1);
  });
  const constants = [
    floatTensor(graph.freshName('weights'), weights.dims, scaled),
    floatTensor(graph.freshName('bias'), [out], biases),
  ];
  const input = [affine.input, ...constants.map(({ name = '' }) => name)];
  return { nodes: [{ ...node, input }], constants };
}
