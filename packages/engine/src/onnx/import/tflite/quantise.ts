import { elementsOf } from '../../graph/element-type.js';
import { clip } from '../../graph/elementwise.js';
import type { GraphBuilder } from '../../graph/graph-builder.js';
import type { Value } from '../../graph/value.js';
import { ImportError } from '../../import-error.js';
import type { TfliteTensor } from './tflite-model.js';

/** One scale for a whole tensor, as activations have. */
export interface ActivationScale {
  readonly type: 'uint8' | 'int8';
  readonly scale: number;
  readonly zeroPoint: number;
}

/** Undefined for a float tensor. */
export function activationScale(tensor: TfliteTensor): ActivationScale | undefined {
  const { type, quantisation, name } = tensor;
  if (type === 'float32') return undefined;
  const [scale] = quantisation?.scales ?? [];
  const [zeroPoint] = quantisation?.zeroPoints ?? [];
  if (
    (type !== 'uint8' && type !== 'int8') ||
    scale === undefined ||
    zeroPoint === undefined ||
    quantisation?.scales.length !== 1
  ) {
    throw new ImportError(
      `tensor ${name} of type ${type} is not float32 and not quantised to 8 bits by one scale`,
    );
  }
  const [lowest, highest] = storedRange(type);
  if (zeroPoint < lowest || zeroPoint > highest)
    throw new ImportError(`tensor ${name} has the zero point ${zeroPoint}`);
  return { type, scale, zeroPoint };
}

/** Rounds to the steps of a quantised tensor and back; ONNX Runtime merges the pair into the nodes around it. */
export function quantiseAndBack(builder: GraphBuilder, value: Value, to: ActivationScale): Value {
  const { dims, storage } = value;
  const stored = builder.node(
    'QuantizeLinear',
    [value, ...scaleInputs(builder, to)],
    {},
    { type: to.type, dims, storage },
  );
  return dequantise(builder, stored, to);
}

/** 8-bit steps as floats. */
export function dequantise(builder: GraphBuilder, stored: Value, from: ActivationScale): Value {
  const { dims, storage } = stored;
  return builder.node(
    'DequantizeLinear',
    [stored, ...scaleInputs(builder, from)],
    {},
    { type: 'float32', dims, storage },
  );
}

/**
 * Limits floats to what the quantised tensor can hold. Converters drop a ReLU that the range implies; this replaces
 * it.
 */
export function clipToRange(
  builder: GraphBuilder,
  value: Value,
  { type, scale, zeroPoint }: ActivationScale,
): Value {
  const [lowest, highest] = storedRange(type);
  return clip(builder, value, (lowest - zeroPoint) * scale, (highest - zeroPoint) * scale);
}

function scaleInputs(builder: GraphBuilder, { type, scale, zeroPoint }: ActivationScale): [Value, Value] {
  const point = builder.constant(type, [], elementsOf(type, [zeroPoint]), 'zero_point');
  return [builder.scalar('float32', scale, 'scale'), point];
}

function storedRange(type: 'uint8' | 'int8'): readonly [number, number] {
  return type === 'uint8' ? [0, 255] : [-128, 127];
}
