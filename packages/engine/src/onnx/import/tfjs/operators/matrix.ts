import { elementwise } from '../../../graph/elementwise.js';
import { transpose } from '../../../graph/move.js';
import { asDims } from '../../../graph/storage.js';
import { ImportError } from '../../../import-error.js';
import type { Operator } from '../operator.js';
import { applyFused } from './fused.js';

/** MatMul and _FusedMatMul of two matrices. */
export const matMul: Operator = (context) => {
  const { builder, input, attributes } = context;
  const [left, right] = (['transpose_a', 'transpose_b'] as const).map((flag, index) =>
    attributes.flag(flag, false) ? transpose(builder, input(index), [1, 0]) : asDims(builder, input(index)),
  );
  const [rows, inner] = left?.dims ?? [];
  const [innerRight, columns] = right?.dims ?? [];
  if (
    left === undefined ||
    right === undefined ||
    rows === undefined ||
    columns === undefined ||
    inner !== innerRight
  ) {
    throw new ImportError(`[${left?.dims}] and [${right?.dims}] do not multiply`);
  }
  return applyFused(context, 2, (bias) => {
    const product = builder.node('MatMul', [left, right], {}, { type: 'float32', dims: [rows, columns] });
    return bias === null ? product : elementwise(builder, 'Add', [product, bias]);
  });
};

/** Softmax over the last dim. */
export const softmax: Operator = ({ builder, input }) => {
  const { type, dims } = input(0);
  return builder.node('Softmax', [asDims(builder, input(0))], { axis: -1 }, { type, dims });
};
