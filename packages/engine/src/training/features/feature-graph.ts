import {
  type Attribute,
  AttributeType,
  type Model,
  type Node,
  type TensorProto,
} from '../../onnx/proto/model.js';
import type { Backbone } from './cut-backbone.js';

const float32 = 1;

/** Shorter than any vector that means something; keeps an all-zero one from becoming NaN. */
const leastLength = 1e-12;

/** Nodes and constants that go on from a backbone, under names that it does not use. */
export interface Extension {
  readonly nodes: readonly Node[];
  readonly constants: readonly TensorProto[];
}

/** Name of the features as heads take them: f32 [1,c]. */
export const unitFeatures = 'lynceus/features';

/**
 * Square root and length 1: what remains of a channel's strength is little, so that a few strong ones do not drown the
 * others (the Hellinger kernel: Arandjelović and Zisserman, CVPR 2012).
 */
export function featureNodes({ features }: Backbone): Extension {
  const step = (
    op: string,
    inputs: readonly string[],
    output: string,
    attribute: readonly Attribute[] = [],
  ) => ({
    opType: op,
    name: `${output}/node`,
    input: inputs,
    output: [output],
    attribute,
  });
  const int = (name: string, i: number) => ({ name, type: AttributeType.int, i: BigInt(i) });
  const axes = { name: 'axes', type: AttributeType.ints, ints: [1n] };
  const least = 'lynceus/least_length';
  return {
    nodes: [
      step('Flatten', [features], 'lynceus/pooled', [int('axis', 1)]),
      step('Relu', ['lynceus/pooled'], 'lynceus/positive'),
      step('Sqrt', ['lynceus/positive'], 'lynceus/roots'),
      step('ReduceL2', ['lynceus/roots'], 'lynceus/length', [axes, int('keepdims', 1)]),
      step('Max', ['lynceus/length', least], 'lynceus/divisor'),
      step('Div', ['lynceus/roots', 'lynceus/divisor'], unitFeatures),
    ],
    constants: [floatConstant(least, [], Float32Array.of(leastLength))],
  };
}

export function floatConstant(name: string, dims: readonly number[], data: Float32Array): TensorProto {
  const rawData = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return { name, dims: dims.map(BigInt), dataType: float32, rawData };
}

export interface Output {
  readonly name: string;
  /** Undefined where only a run tells. */
  readonly dims?: readonly number[];
}

/** The backbone with what goes on from it; every output is f32. */
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
