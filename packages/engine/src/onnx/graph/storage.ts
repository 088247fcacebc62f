import { mapElements } from './fold.js';
import type { GraphBuilder } from './graph-builder.js';
import { elementCount, type Value } from './value.js';

/** Axis of [n,c,h,w] that holds the axis of [n,h,w,c]. */
export const channelsFirstAxis = [0, 2, 3, 1] as const;
const toChannelsFirst = [0, 3, 1, 2];
const toChannelsLast = [0, 2, 3, 1];

export function permute(dims: readonly number[], permutation: readonly number[]): number[] {
  return permutation.map((axis) => dims[axis] ?? 1);
}

/** The dims in memory order. */
export function storedDims(value: Value): readonly number[] {
  return value.storage === 'channels-first' ? permute(value.dims, toChannelsFirst) : value.dims;
}

/** A value of dims [n,h,w,c] with its memory in the order n,c,h,w. */
export function asChannelsFirst(builder: GraphBuilder, value: Value): Value {
  if (value.storage === 'channels-first') return value;
  return builder.node(
    'Transpose',
    [value],
    { perm: toChannelsFirst },
    {
      type: value.type,
      dims: value.dims,
      storage: 'channels-first',
    },
  );
}

/** The same value with its memory in the order of its dims. */
export function asDims(builder: GraphBuilder, value: Value): Value {
  if (value.storage === 'as-dims') return value;
  return builder.node('Transpose', [value], { perm: toChannelsLast }, { type: value.type, dims: value.dims });
}

/**
 * Operands of an elementwise node in one memory order: channels first when one of them has it already and the others
 * can follow at no cost at run time or by a transpose of their own.
 */
export function alignStorage(
  builder: GraphBuilder,
  values: readonly Value[],
): { readonly operands: readonly Value[]; readonly storage: Value['storage'] } {
  const possible = values.every((value) => value.dims.length === 4 || value.constant !== undefined);
  if (!possible || !values.some((value) => value.storage === 'channels-first')) {
    return { operands: values.map((value) => asDims(builder, value)), storage: 'as-dims' };
  }
  const operands = values.map((value) =>
    value.constant === undefined ? asChannelsFirst(builder, value) : constantChannelsFirst(builder, value),
  );
  return { operands, storage: 'channels-first' };
}

/** A constant that broadcasts against [n,h,w,c], rewritten to broadcast against n,c,h,w; for use as an operand. */
function constantChannelsFirst(builder: GraphBuilder, value: Value): Value {
  const { type, constant, dims } = value;
  if (constant === undefined) return value;
  if (elementCount(dims) === 1) return builder.constant(type, [], constant, value.name);
  if (dims.length === 1) return builder.constant(type, [dims[0] ?? 1, 1, 1], constant, value.name);
  const padded = [...Array.from({ length: 4 - dims.length }, () => 1), ...dims];
  const [, height = 1, width = 1, channels = 1] = padded;
  const stored = permute(padded, toChannelsFirst);
  const data = mapElements(
    constant,
    stored,
    ([n = 0, c = 0, y = 0, x = 0]) => ((n * height + y) * width + x) * channels + c,
  );
  return builder.constant(type, stored, data, value.name);
}
