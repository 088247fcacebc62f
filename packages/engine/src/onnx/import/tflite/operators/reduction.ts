import { axisFromFront } from '../../../graph/shape.js';
import { asDims } from '../../../graph/storage.js';
import { storedNumbers } from '../constants.js';
import type { Operator } from '../operator.js';

/** Over the axes of input 1. Options: keep the reduced dims, as 1. */
function reduction(name: string, op: 'ReduceSum' | 'ReduceMax' | 'ReduceMin' | 'ReduceMean'): Operator {
  return {
    name,
    write({ builder, input, tensor, options }) {
      const value = asDims(builder, input(0));
      const listed = Array.from<number | bigint, number>(storedNumbers(tensor(1)), Number);
      const axes = [...new Set(listed.map((axis) => axisFromFront(axis, value.dims.length)))];
      const keep = (options?.byte(0, 0) ?? 0) !== 0;
      const reduced = value.dims.map((side, axis) => (axes.includes(axis) ? 1 : side));
      const dims = keep ? reduced : reduced.filter((_, axis) => !axes.includes(axis));
      const result = { type: value.type, dims };
      const keepdims = keep ? 1 : 0;
      // Of all reductions only the sum takes its axes as an input in this opset.
      if (op === 'ReduceSum') return builder.node(op, [value, builder.integers(axes)], { keepdims }, result);
      return builder.node(op, [value], { axes, keepdims }, result);
    },
  };
}

export const reduceSum = reduction('SUM', 'ReduceSum');
export const reduceMax = reduction('REDUCE_MAX', 'ReduceMax');
export const reduceMin = reduction('REDUCE_MIN', 'ReduceMin');
export const reduceMean = reduction('MEAN', 'ReduceMean');
