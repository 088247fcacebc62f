import type { Model } from '../onnx/proto/model.js';
import type { Backbone } from './cut-backbone.js';
import { type Extension, float32, floatConstant, int, ints, step } from './extension.js';

/** Below the length of any meaningful vector; keeps an all-zero vector from becoming NaN. */
const leastLength = 1e-12;

/** Name of the features as heads take them: f32 [1,c]. */
export const unitFeatures = 'lynceus/features';

/**
 * Square root and length 1: a channel's strength is compressed, so that a few strong ones do not dominate the
 * others (the Hellinger kernel: Arandjelović and Zisserman, CVPR 2012).
 */
export function featureNodes({ features }: Backbone): Extension {
  const least = 'lynceus/least_length';
  return {
    nodes: [
      step('Flatten', [features], 'lynceus/pooled', [int('axis', 1)]),
      step('Relu', ['lynceus/pooled'], 'lynceus/positive'),
      step('Sqrt', ['lynceus/positive'], 'lynceus/roots'),
      step('ReduceL2', ['lynceus/roots'], 'lynceus/length', [ints('axes', [1]), int('keepdims', 1)]),
      step('Max', ['lynceus/length', least], 'lynceus/divisor'),
      step('Div', ['lynceus/roots', 'lynceus/divisor'], unitFeatures),
    ],
    constants: [floatConstant(least, [], Float32Array.of(leastLength))],
  };
}

export interface Output {
  readonly name: string;
  /** Undefined where it is known only at run time. */
  readonly dims?: readonly number[];
}

/** The backbone with its extension; every output is f32. */
export function extendBackbone(
  { model }: Backbone,
  extensions: readonly Extension[],
  { name, dims }: Output,
): Model {
  const { graph } = model;
  const shape = dims && { shape: { dim: dims.map((side) => ({ dimValue: BigInt(side) })) } };
  return {
    ...model,
    graph: {
      ...graph,
      node: [...(graph.node ?? []), ...extensions.flatMap(({ nodes }) => nodes)],
      initializer: [...(graph.initializer ?? []), ...extensions.flatMap(({ constants }) => constants)],
      output: [{ name, type: { tensorType: { elemType: float32, ...shape } } }],
    },
  };
}
