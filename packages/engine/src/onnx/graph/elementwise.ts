import { foldElementwise } from './fold.js';
import type { Attributes, GraphBuilder } from './graph-builder.js';
import { broadcastDims } from './shape.js';
import { alignStorage } from './storage.js';
import type { Value } from './value.js';

/** A node that reckons element by element with broadcasting; on constants it is worked out at once. */
export function elementwise(
  builder: GraphBuilder,
  op: string,
  inputs: readonly Value[],
  options: {
    readonly attributes?: Attributes;
    /** Element type of the result, that of the first input unless told. */
    readonly type?: Value['type'];
    /** The same reckoning in numbers, for constants. */
    readonly reckon?: (...operands: number[]) => number;
  } = {},
): Value {
  const dims = broadcastDims(inputs.map((input) => input.dims));
  const type = options.type ?? inputs[0]?.type ?? 'float32';
  const folded = options.reckon && foldElementwise(builder, inputs, type, dims, options.reckon);
  if (folded !== undefined) return folded;
  const { operands, storage } = alignStorage(builder, inputs);
  return builder.node(op, operands, options.attributes ?? {}, { type, dims, storage });
}

/** `value` limited to a range; `Clip` right after a convolution runs as part of it. */
export function clip(builder: GraphBuilder, value: Value, minimum: number, maximum: number): Value {
  const limits = [builder.scalar('float32', minimum, 'min'), builder.scalar('float32', maximum, 'max')];
  return builder.node('Clip', [value, ...limits], {}, value);
}
