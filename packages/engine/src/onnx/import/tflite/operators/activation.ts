import { clip, elementwise } from '../../../graph/elementwise.js';
import type { GraphBuilder } from '../../../graph/graph-builder.js';
import type { Value } from '../../../graph/value.js';
import { ImportError } from '../../../import-error.js';
import type { Operator } from '../operator.js';

export const relu: Operator = {
  name: 'RELU',
  keepsRange: true,
  write: ({ builder, input }) => elementwise(builder, 'Relu', [input(0)]),
};

export const relu6: Operator = {
  name: 'RELU6',
  keepsRange: true,
  write: ({ builder, input }) => clip(builder, input(0), 0, 6),
};

export const logistic: Operator = {
  name: 'LOGISTIC',
  write: ({ builder, input }) => elementwise(builder, 'Sigmoid', [input(0)]),
};

/** x * relu6(x + 3) / 6. */
export const hardSwish: Operator = {
  name: 'HARD_SWISH',
  write: ({ builder, input }) => elementwise(builder, 'HardSwish', [input(0)]),
};

/** Options: alpha. */
export const leakyRelu: Operator = {
  name: 'LEAKY_RELU',
  write: ({ builder, input, options }) =>
    elementwise(builder, 'LeakyRelu', [input(0)], {
      attributes: { alpha: { float: options?.float(0, 0) ?? 0 } },
    }),
};

export const prelu: Operator = {
  name: 'PRELU',
  write: ({ builder, input }) => elementwise(builder, 'PRelu', [input(0), input(1)]),
};

/** Changes of storage only; here all values are floats. */
export function restore(name: string): Operator {
  return { name, keepsRange: true, write: ({ input }) => input(0) };
}

/** The activation fused into a node, `ActivationFunctionType` of the schema. */
export function activate(builder: GraphBuilder, value: Value, kind: number): Value {
  switch (kind) {
    case 0:
      return value;
    case 1:
      return elementwise(builder, 'Relu', [value]);
    case 2:
      return clip(builder, value, -1, 1);
    case 3:
      return clip(builder, value, 0, 6);
    case 4:
      return elementwise(builder, 'Tanh', [value]);
    default:
      throw new ImportError(`the fused activation ${kind} is not supported`);
  }
}
