import type { Node } from '../proto/model.js';
import type { FloatTensor } from './float-tensor.js';
import { integerAttribute, integersAttribute, opOf, stringAttribute } from './node.js';
import type { RewritableGraph } from './rewritable-graph.js';

/** A convolution of one group whose output has the sides of its input, with a square kernel of an odd side. */
export interface SameSizeConvolution {
  readonly input: string;
  /** [out,in,side,side] */
  readonly weights: FloatTensor;
  /** The names of its bias: one or none. */
  readonly bias: readonly string[];
  readonly side: number;
}

export function sameSizeConvolution(
  graph: RewritableGraph,
  node: Node | undefined,
): SameSizeConvolution | undefined {
  if (node === undefined || opOf(node) !== 'Conv') return undefined;
  const [input, weightsName, ...bias] = node.input ?? [];
  const weights = graph.floats(weightsName);
  const [, , height = 0, width = 0] = weights?.dims ?? [];
  if (input === undefined || weights?.dims.length !== 4 || height !== width || height % 2 === 0)
    return undefined;
  const padding = stringAttribute(node, 'auto_pad') ?? 'NOTSET';
  const pads = integersAttribute(node, 'pads') ?? [0, 0, 0, 0];
  const steps = [integersAttribute(node, 'strides') ?? [], integersAttribute(node, 'dilations') ?? []].flat();
  const isSameSize =
    padding === 'NOTSET' &&
    pads.every((pad) => pad === (height - 1) / 2) &&
    steps.every((step) => step === 1);
  if (!isSameSize || integerAttribute(node, 'group', 1) !== 1) return undefined;
  return { input, weights, bias: bias.filter((name) => name !== ''), side: height };
}
