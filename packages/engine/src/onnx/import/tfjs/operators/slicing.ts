import { integersIn } from '../../../graph/fold.js';
import { reshape, slice } from '../../../graph/move.js';
import { axisFromFront } from '../../../graph/shape.js';
import { ImportError } from '../../../import-error.js';
import type { NodeContext, Operator } from '../operator.js';
import { refuseFreeSize } from './shaping.js';

/** Operators that slice a tensor. */

export const sliceOperator: Operator = (context) => {
  const { builder, input } = context;
  const { dims } = input(0);
  if (input(0).constant === undefined) refuseFreeSize(context);
  const begins = integersIn(input(1), 'the begin');
  const sizes = integersIn(input(2), 'the size');
  const taken = dims.map((side, axis) =>
    sizes[axis] === -1 ? side - (begins[axis] ?? 0) : (sizes[axis] ?? side),
  );
  const fits = dims.every(
    (side, axis) =>
      (begins[axis] ?? 0) >= 0 && (taken[axis] ?? 0) >= 0 && (begins[axis] ?? 0) + (taken[axis] ?? 0) <= side,
  );
  if (!fits) throw new ImportError(`[${begins}] + [${sizes}] is not inside [${dims}]`);
  return slice(
    builder,
    input(0),
    begins,
    taken,
    dims.map(() => 1),
  );
};

/** NumPy's slicing; the masks are those of tf.strided_slice. */
export const stridedSlice: Operator = (context) => {
  const { builder, input, attributes } = context;
  const value = input(0);
  if (value.constant === undefined) refuseFreeSize(context);
  if (attributes.integer('ellipsis_mask', 0) !== 0 || attributes.integer('new_axis_mask', 0) !== 0) {
    throw new ImportError('ellipsis and new axes are not supported');
  }
  const begin = integersIn(input(1), 'the begin');
  const end = integersIn(input(2), 'the end');
  const stride = integersIn(input(3), 'the strides');
  const has = (mask: string, axis: number) => ((attributes.integer(mask, 0) >> axis) & 1) === 1;
  const parts = value.dims.map((side, axis) => {
    const from = begin[axis];
    if (from === undefined) return { first: 0, count: side, step: 1 };
    const step = stride[axis] ?? 1;
    if (has('shrink_axis_mask', axis)) return { first: axisFromFront(from, side), count: 1, step: 1 };
    if (step === 0) throw new ImportError('a stride of 0');
    const first = has('begin_mask', axis) ? (step > 0 ? 0 : side - 1) : clamp(from, side, step);
    const last = has('end_mask', axis) ? (step > 0 ? side : -1) : clamp(end[axis] ?? side, side, step);
    return { first, count: Math.max(0, Math.ceil((last - first) / step)), step };
  });
  const counts = parts.map(({ count }) => count);
  const cut = slice(
    builder,
    value,
    parts.map(({ first }) => first),
    counts,
    parts.map(({ step }) => step),
  );
  const kept = counts.filter((_, axis) => begin[axis] === undefined || !has('shrink_axis_mask', axis));
  return kept.length === counts.length ? cut : reshape(builder, cut, kept);
};

function clamp(position: number, side: number, step: number): number {
  const front = position < 0 ? position + side : position;
  return step > 0 ? Math.min(Math.max(front, 0), side) : Math.min(Math.max(front, -1), side - 1);
}

export const unpack: Operator = (context: NodeContext) => {
  const { builder, input, attributes } = context;
  const value = input(0);
  if (value.constant === undefined) refuseFreeSize(context);
  const { dims } = value;
  const axis = axisFromFront(attributes.integer('axis', 0), dims.length);
  const count = dims[axis] ?? 0;
  if (count > 1024) throw new ImportError(`it takes a tensor apart into ${count}`);
  const sizes = dims.with(axis, 1);
  return Array.from({ length: count }, (_, index) => {
    const begins = dims.map((_side, other) => (other === axis ? index : 0));
    return reshape(
      builder,
      slice(
        builder,
        value,
        begins,
        sizes,
        dims.map(() => 1),
      ),
      dims.toSpliced(axis, 1),
    );
  });
};
