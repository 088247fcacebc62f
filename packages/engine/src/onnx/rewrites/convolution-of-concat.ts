import type { Node } from '../proto/model.js';
import { channelsOf } from './channels.js';
import { convolveDoubled, type Enlarged, enlargeByHalf, enlargedBy, joined } from './enlarged.js';
import { floatTensor } from './float-tensor.js';
import { integer, integerAttribute, nodeOf, opOf } from './node.js';
import type { Replacement, RewritableGraph } from './rewritable-graph.js';
import { type SameSizeConvolution, sameSizeConvolution } from './same-size-convolution.js';

/** One of the maps that are put behind each other. */
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
 * convolution has less than half of the products, and those of the others are added.
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

/** Whether it applies to a convolution, which is then better without a normalisation behind it. */
export function isOverEnlarged(graph: RewritableGraph, node: Node): boolean {
  return partsOf(graph, node) !== undefined;
}

function partsOf(graph: RewritableGraph, node: Node): Parts | undefined {
  const convolution = sameSizeConvolution(graph, node);
  const behind = graph.producerOf(convolution?.input);
  if (convolution?.side !== 3 || behind === undefined || opOf(behind) !== 'Concat') return undefined;
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
  if (enlarged.length === 0 || first !== convolution.weights.dims[1]) return undefined;
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
