import { foldElementwise } from './fold.js';
import type { Attributes, GraphBuilder } from './graph-builder.js';
import { broadcastDims } from './shape.js';
import { alignStorage } from './storage.js';
import type { Value } from './value.js';

/** An elementwise node with broadcasting; constants are folded at once. */
export function elementwise(
  builder: GraphBuilder,
  op: string,
  inputs: readonly Value[],
  options: {
    readonly attributes?: Attributes;
    /** Element type of the result, that of the first input unless given. */
    readonly type?: Value['type'];
    /** The same computation in numbers, for constants. */
    readonly compute?: (...operands: number[]) => number;
  } = {},
): Value {
  const dims = broadcastDims(inputs.map((input) => input.dims));
  const type = options.type ?? inputs[0]?.type ?? 'float32';
  const folded = options.compute && foldElementwise(builder, inputs, type, dims, options.compute);
  if (folded !== undefined) return folded;
  const { operands, storage } = alignStorage(builder, inputs);
  return builder.node(op, operands, options.attributes ?? {}, { type, dims, storage });
}

/** `value` limited to a range; `Clip` right after a convolution runs as part of it. */
export function clip(builder: GraphBuilder, value: Value, minimum: number, maximum: number): Value {
  const limits = [builder.scalar('float32', minimum, 'min'), builder.scalar('float32', maximum, 'max')];
  return builder.node('Clip', [value, ...limits], {}, value);
}

/** Product with broadcasting. A constant single number becomes a factor of the value, and factors pass through. */
export function multiply(builder: GraphBuilder, a: Value, b: Value): Value {
  const factor = singleNumber(a) ?? singleNumber(b);
  const value = singleNumber(a) === undefined ? a : b;
  const fits = broadcastDims([a.dims, b.dims]).length === value.dims.length;
  if (factor !== undefined && fits && value.constant === undefined && value.type === 'float32') {
    return { ...value, factor: (value.factor ?? 1) * factor };
  }
  const [plainA, plainB] = [a, b].map(({ factor: _, ...plain }) => plain);
  if (plainA === undefined || plainB === undefined) return a;
  const product = elementwise(builder, 'Mul', [plainA, plainB], { compute: (x = 0, y = 0) => x * y });
  const waiting = (a.factor ?? 1) * (b.factor ?? 1);
  return waiting === 1 ? product : { ...product, factor: waiting };
}

/**
 * `value` limited to 0..6. Over `x + 3` that is six times ONNX's HardSigmoid, which, followed by a product with x,
 * runs as part of the convolution before it (hard swish, Howard et al. 2019).
 */
export function relu6(builder: GraphBuilder, value: Value): Value {
  const producer = value.factor === undefined ? builder.producerOf(value) : undefined;
  if (producer?.op !== 'Add') return clip(builder, value, 0, 6);
  const shifted = producer.inputs.find((input) => input !== null && input.constant === undefined);
  const by = producer.inputs.find((input) => input !== null && singleNumber(input) === 3);
  if (!shifted || !by) return clip(builder, value, 0, 6);
  const attributes = { alpha: { float: 1 / 6 }, beta: { float: 0.5 } };
  const { type, dims, storage } = value;
  return { ...builder.node('HardSigmoid', [shifted], attributes, { type, dims, storage }), factor: 6 };
}

function singleNumber(value: Value): number | undefined {
  const finite = value.constant?.length === 1 ? Number(value.constant[0]) : Number.NaN;
  return Number.isFinite(finite) && finite !== 0 ? finite : undefined;
}
