import type { Model, Node } from '../onnx/proto/model.js';
import type { Backbone } from './cut-backbone.js';
import { type Extension, float32, floatConstant, int, ints, step } from './extension.js';

/** Below the length of any meaningful vector; keeps an all-zero vector from becoming NaN. */
const leastLength = 1e-12;

/** Name of the features as heads take them: f32 [1,c], of length 1. */
export const unitFeatures = 'lynceus/features';

/** Added to probabilities before their logarithm: below it classes count as equally unlikely. */
const leastProbability = 1e-4;
/**
 * Lengths of the two parts of the features. The classes' part tells images apart at a larger scale; on half of the labelled
 * images lengths of .5 to .9 were equally accurate (docs/training.md).
 */
const lengths = { pooled: 0.6, classes: 0.8 };

/**
 * Two descriptions of an image, concatenated.
 * - The pooled channels, their square roots, scaled to a fixed length: a channel's strength is compressed, so that a few
 *   strong ones do not dominate the others (the Hellinger kernel: Arandjelović and Zisserman, CVPR 2012).
 * - The logarithms of the probabilities of the backbone's own classes, minus their mean, scaled alike: which of its classes
 *   an image resembles, also where none of them is a label.
 */
export function featureNodes({ features, ownProbabilities }: Backbone): Extension {
  const least = 'lynceus/least_length';
  return {
    nodes: [
      step('Flatten', [features], 'lynceus/pooled', [int('axis', 1)]),
      step('Relu', ['lynceus/pooled'], 'lynceus/positive'),
      step('Sqrt', ['lynceus/positive'], 'lynceus/roots'),
      ...scaled('lynceus/roots', 'lynceus/pooled_length', 'lynceus/pooled_part'),
      step('Add', [ownProbabilities, 'lynceus/least_probability'], 'lynceus/raised'),
      step('Log', ['lynceus/raised'], 'lynceus/logs'),
      step('ReduceMean', ['lynceus/logs'], 'lynceus/mean_log', [ints('axes', [1]), int('keepdims', 1)]),
      step('Sub', ['lynceus/logs', 'lynceus/mean_log'], 'lynceus/centred'),
      ...scaled('lynceus/centred', 'lynceus/classes_length', 'lynceus/classes_part'),
      step('Concat', ['lynceus/pooled_part', 'lynceus/classes_part'], unitFeatures, [int('axis', 1)]),
    ],
    constants: [
      floatConstant(least, [], Float32Array.of(leastLength)),
      floatConstant('lynceus/pooled_length', [], Float32Array.of(lengths.pooled)),
      floatConstant('lynceus/least_probability', [], Float32Array.of(leastProbability)),
      floatConstant('lynceus/classes_length', [], Float32Array.of(lengths.classes)),
    ],
  };
}

/** A row scaled to a length. */
function scaled(row: string, length: string, output: string): Node[] {
  return [
    step('ReduceL2', [row], `${row}_norm`, [ints('axes', [1]), int('keepdims', 1)]),
    step('Max', [`${row}_norm`, 'lynceus/least_length'], `${row}_divisor`),
    step('Div', [row, `${row}_divisor`], `${row}_unit`),
    step('Mul', [`${row}_unit`, length], output),
  ];
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
  outputs: readonly Output[],
): Model {
  const { graph } = model;
  return {
    ...model,
    graph: {
      ...graph,
      node: [...(graph.node ?? []), ...extensions.flatMap(({ nodes }) => nodes)],
      initializer: [...(graph.initializer ?? []), ...extensions.flatMap(({ constants }) => constants)],
      output: outputs.map(({ name, dims }) => {
        const shape = dims && { shape: { dim: dims.map((side) => ({ dimValue: BigInt(side) })) } };
        return { name, type: { tensorType: { elemType: float32, ...shape } } };
      }),
    },
  };
}
