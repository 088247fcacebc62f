import { elementwise, relu6 } from '../../../graph/elementwise.js';
import type { GraphBuilder } from '../../../graph/graph-builder.js';
import type { Value } from '../../../graph/value.js';
import type { Operator } from '../operator.js';

/** Functions of one element that ONNX has under its own name. */
export function unary(op: string, compute?: (x: number) => number): Operator {
  return ({ builder, input }) =>
    elementwise(builder, op, [input(0)], compute ? { compute: (x) => compute(x ?? 0) } : {});
}

export const relu6Operator: Operator = ({ builder, input }) => relu6(builder, input(0));

export const leakyRelu: Operator = ({ builder, input, attributes }) =>
  elementwise(builder, 'LeakyRelu', [input(0)], {
    attributes: { alpha: { float: attributes.float('alpha', 0.2) } },
  });

export const preluOperator: Operator = ({ builder, input }) => prelu(builder, input(0), input(1));

export function prelu(builder: GraphBuilder, value: Value, slope: Value): Value {
  return elementwise(builder, 'PRelu', [value, slope]);
}
