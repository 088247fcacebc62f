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
