import type { GraphBuilder } from '../onnx/graph/graph-builder.js';
import { concat, reshape, slice } from '../onnx/graph/move.js';
import { elementCount, type Value } from '../onnx/graph/value.js';
import type { Activation } from './import-options.js';
import type { HeadPlanOf } from './plan.js';

/** `probabilities` [1,n], in the order of the labels. */
export function writeClassifier(
  builder: GraphBuilder,
  value: Value,
  { activation, firstClass, single }: HeadPlanOf<'classifier'>,
): void {
  const row = reshape(builder, value, [1, elementCount(value.dims)]);
  const count = elementCount(value.dims) - firstClass;
  const kept = firstClass === 0 ? row : slice(builder, row, [0, firstClass], [1, count], [1, 1]);
  const probabilities = activate(builder, kept, activation);
  if (!single) {
    builder.output('probabilities', probabilities, [1, count]);
    return;
  }
  const other = builder.node('Sub', [builder.scalar('float32', 1), probabilities], {}, probabilities);
  builder.output('probabilities', concat(builder, [other, probabilities], 1), [1, 2]);
}

/** `embedding` [1,d], of length 1. */
export function writeEmbedder(builder: GraphBuilder, value: Value): void {
  const count = elementCount(value.dims);
  const row = reshape(builder, value, [1, count]);
  builder.output('embedding', builder.node('LpNormalization', [row], { axis: 1, p: 2 }, row), [1, count]);
}

/** Scores between 0 and 1; the classes are the last axis. */
export function activate(builder: GraphBuilder, value: Value, activation: Activation): Value {
  const { type, dims } = value;
  switch (activation) {
    case 'none':
      return value;
    case 'sigmoid':
      return builder.node('Sigmoid', [value], {}, { type, dims });
    case 'softmax':
    case 'softmax-last':
      return builder.node('Softmax', [value], { axis: dims.length - 1 }, { type, dims });
  }
}
