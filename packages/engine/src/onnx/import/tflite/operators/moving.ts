import { reshape, slice, transpose } from '../../../graph/move.js';
import { axisFromFront } from '../../../graph/shape.js';
import { asChannelsFirst, asDims, permute } from '../../../graph/storage.js';
import { ImportError } from '../../../import-error.js';
import { storedNumbers } from '../constants.js';
import type { NodeContext, Operator } from '../operator.js';

/** Constant whole numbers, such as axes. */
function integersAt({ tensor }: NodeContext, index: number): number[] {
  return Array.from<number | bigint, number>(storedNumbers(tensor(index)), Number);
}

/** Input 1: pairs of before and after, an axis each. */
export const pad: Operator = {
  name: 'PAD',
  keepsRange: true,
  write(context) {
    const { builder, input } = context;
    const value = input(0);
    const pairs = integersAt(context, 1);
    const { dims } = value;
    if (pairs.length !== 2 * dims.length || pairs.some((side) => side < 0 || side > 8192))
      throw new ImportError(`paddings of [${pairs}] do not fit [${dims}]`);
    const before = dims.map((_, axis) => pairs[2 * axis] ?? 0);
    const after = dims.map((_, axis) => pairs[2 * axis + 1] ?? 0);
    const padded = dims.map((side, axis) => side + (before[axis] ?? 0) + (after[axis] ?? 0));
    const isImage = dims.length === 4;
    const order = isImage ? [0, 3, 1, 2] : dims.map((_, axis) => axis);
    const pads = builder.integers([...permute(before, order), ...permute(after, order)], 'pads');
    const filling = context.has(2) ? [input(2)] : [];
    const stored = isImage ? asChannelsFirst(builder, value) : value;
    const storage = isImage ? 'channels-first' : 'as-dims';
    return builder.node(
      'Pad',
      [stored, pads, ...filling],
      { mode: 'constant' },
      { type: 'float32', dims: padded, storage },
    );
  },
};

export const transposeOperator: Operator = {
  name: 'TRANSPOSE',
  keepsRange: true,
  write: (context) => transpose(context.builder, context.input(0), integersAt(context, 1)),
};

/** Inputs: value, begin, size; -1 for all that follows. */
export const sliceOperator: Operator = {
  name: 'SLICE',
  keepsRange: true,
  write(context) {
    const value = context.input(0);
    const begins = integersAt(context, 1);
    const sizes = integersAt(context, 2).map((size, axis) =>
      size === -1 ? (value.dims[axis] ?? 0) - (begins[axis] ?? 0) : size,
    );
    return cut(
      context,
      begins,
      sizes,
      value.dims.map(() => 1),
    );
  },
};

/** NumPy's slicing. Options: begin, end, ellipsis, new axis and shrink axis masks. */
export const stridedSlice: Operator = {
  name: 'STRIDED_SLICE',
  keepsRange: true,
  write(context) {
    const { options, input, builder, output } = context;
    const masks = [0, 1, 2, 3, 4].map((field) => options?.integer(field, 0) ?? 0);
    const [beginMask = 0, endMask = 0, ellipsis = 0, newAxis = 0, shrink = 0] = masks;
    if (ellipsis !== 0 || newAxis !== 0) throw new ImportError('ellipsis and new axes are not supported');
    const [begins, ends, steps] = [1, 2, 3].map((index) => integersAt(context, index));
    const { dims } = input(0);
    const parts = dims.map((side, axis) => {
      const [begin, end, step] = [begins?.[axis], ends?.[axis], steps?.[axis] ?? 1];
      if (begin === undefined || end === undefined) return { first: 0, count: side, step: 1 };
      if (step < 1) throw new ImportError(`a stride of ${step} is not supported`);
      const inside = (at: number) => Math.min(Math.max(at < 0 ? at + side : at, 0), side);
      const first = (beginMask >> axis) & 1 ? 0 : inside(begin);
      if ((shrink >> axis) & 1) return { first, count: 1, step: 1 };
      const last = (endMask >> axis) & 1 ? side : inside(end);
      return { first, count: Math.max(0, Math.ceil((last - first) / step)), step };
    });
    const taken = cut(
      context,
      parts.map(({ first }) => first),
      parts.map(({ count }) => count),
      parts.map(({ step }) => step),
    );
    return reshape(builder, taken, output.dims);
  },
};

function cut(
  context: NodeContext,
  begins: readonly number[],
  sizes: readonly number[],
  steps: readonly number[],
) {
  const value = asDims(context.builder, context.input(0));
  const fits = value.dims.every(
    (side, axis) =>
      (begins[axis] ?? -1) >= 0 && (begins[axis] ?? 0) + ((sizes[axis] ?? 0) - 1) * (steps[axis] ?? 1) < side,
  );
  if (!fits) throw new ImportError(`[${begins}] + [${sizes}] is not inside [${value.dims}]`);
  return slice(context.builder, value, begins, sizes, steps);
}

/** Inputs: axis, value; as many equal parts as the node has outputs. */
export const split: Operator = {
  name: 'SPLIT',
  keepsRange: true,
  write(context) {
    const { builder, outputCount } = context;
    const value = asDims(builder, context.input(1));
    const axis = axisFromFront(integersAt(context, 0)[0] ?? 0, value.dims.length);
    const part = (value.dims[axis] ?? 0) / outputCount;
    if (!Number.isInteger(part) || part < 1)
      throw new ImportError(`[${value.dims}] does not split in ${outputCount}`);
    const sizes = value.dims.map((side, each) => (each === axis ? part : side));
    return Array.from({ length: outputCount }, (_, index) =>
      slice(
        builder,
        value,
        value.dims.map((_side, each) => (each === axis ? index * part : 0)),
        sizes,
        value.dims.map(() => 1),
      ),
    );
  },
};
