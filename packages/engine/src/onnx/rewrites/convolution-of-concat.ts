import type { Node } from '../proto/model.js';
import { channelsOf } from './channels.js';
import { convolveDoubled, type Enlarged, enlargeByHalf, enlargedBy, joined } from './enlarged.js';
import { floatTensor } from './float-tensor.js';
import { fold } from './fold-into-convolution.js';
import { integer, integerAttribute, nodeOf, opOf } from './node.js';
import type { Replacement, RewritableGraph } from './rewritable-graph.js';
import { type SameSizeConvolution, sameSizeConvolution } from './same-size-convolution.js';

/**
 * Enlarged channels from which it is quicker, and how many times as many as are made: with few, the passes that put the output
 * together take longer than the products that are saved. From 64 and 64 to 64 channels it takes as long as before.
 */
const minChannels = 64;
const minRatio = 2;

/** One of the concatenated maps. */
interface Part {
  readonly name: string;
  readonly first: number;
  readonly channels: number;
  readonly enlarged: Enlarged | undefined;
}

interface Parts {
  readonly convolution: SameSizeConvolution;
  readonly enlarged: readonly (Part & { readonly enlarged: Enlarged })[];
  readonly others: readonly Part[];
}

/**
 * A convolution over several maps, some of which are enlarged: the enlarged ones are brought to half of the sides only, where the
 * convolution has about half of the products, and those of the others are added.
 * @param node The convolution.
 */
export function convolutionOfConcat(graph: RewritableGraph, node: Node): Replacement | undefined {
  const parts = partsOf(graph, node);
  const [output] = node.output ?? [];
  if (parts === undefined || output === undefined) return undefined;
  const { convolution, enlarged, others } = parts;
  const halves = enlarged.map((part) => enlargeByHalf(graph, part.enlarged));
  const small = concat(
    graph,
    halves.map(({ value }) => value),
  );
  const [out = 0] = convolution.weights.dims;
  const channels = enlarged.reduce((sum, part) => sum + part.channels, 0);
  const bias = graph.floats(convolution.bias[0])?.data;
  const kernel = { out, in: channels, weights: weightsOf(convolution, enlarged), bias };
  const isAll = others.length === 0;
  const doubled = isAll ? output : graph.freshName('doubled');
  const first = [...halves, small, convolveDoubled(graph, small.value, kernel, doubled)];
  if (isAll) return joined(first);
  const large = concat(
    graph,
    others.map(({ name }) => name),
  );
  const count = others.reduce((sum, part) => sum + part.channels, 0);
  const weights = floatTensor(graph.freshName('weights'), [out, count, 3, 3], weightsOf(convolution, others));
  const rest = { ...node, input: [large.value, weights.name ?? ''], output: [graph.freshName('rest')] };
  const sum = nodeOf('Add', [...rest.output, doubled], output);
  return joined([...first, large, { nodes: [rest, sum], constants: [weights] }]);
}

/**
 * A normalisation behind such a convolution as part of its weights: ONNX Runtime does the same, but not behind a sum.
 * @param node The normalisation.
 */
export function foldNormalisation(graph: RewritableGraph, node: Node): Replacement | undefined {
  const before = graph.producerOf(node.input?.[0]);
  if (opOf(node) !== 'BatchNormalization' || before === undefined) return undefined;
  return partsOf(graph, before) && fold(graph, node);
}

function partsOf(graph: RewritableGraph, node: Node): Parts | undefined {
  const behind = graph.producerOf(node.input?.[0]);
  if (behind === undefined || opOf(behind) !== 'Concat') return undefined;
  const convolution = sameSizeConvolution(graph, node);
  if (convolution?.side !== 3) return undefined;
  if (integerAttribute(behind, 'axis', 0) !== 1 || graph.onlyReaderOf(convolution.input) !== node)
    return undefined;
  if (convolution.bias.some((name) => graph.floats(name) === undefined)) return undefined;
  const parts: Part[] = [];
  let first = 0;
  for (const name of behind.input ?? []) {
    const channels = channelsOf(graph, name);
    if (channels === undefined) return undefined;
    parts.push({ name, first, channels, enlarged: enlargedBy(graph, name) });
    first += channels;
  }
  const enlarged = parts.flatMap((part) => (part.enlarged ? [{ ...part, enlarged: part.enlarged }] : []));
  const [out = 0, channels] = convolution.weights.dims;
  const count = enlarged.reduce((sum, part) => sum + part.channels, 0);
  if (count < Math.max(minChannels, minRatio * out) || first !== channels) return undefined;
  return { convolution, enlarged, others: parts.filter((part) => part.enlarged === undefined) };
}

/** The weights [out,channels,3,3] for some of the maps. */
function weightsOf({ weights: { dims, data } }: SameSizeConvolution, parts: readonly Part[]): Float32Array {
  const [out = 0, channels = 0] = dims;
  const chosen = Array.from({ length: out }, (_, filter) =>
    parts.map((part) => {
      const from = (filter * channels + part.first) * 9;
      return data.subarray(from, from + part.channels * 9);
    }),
  ).flat();
  const weights = new Float32Array(chosen.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const each of chosen) {
    weights.set(each, at);
    at += each.length;
  }
  return weights;
}

function concat(graph: RewritableGraph, names: readonly string[]): { readonly value: string } & Replacement {
  const [first = '', ...others] = names;
  if (others.length === 0) return { value: first, nodes: [] };
  const value = graph.freshName('maps');
  return { value, nodes: [nodeOf('Concat', names, value, [integer('axis', 1)])] };
}
