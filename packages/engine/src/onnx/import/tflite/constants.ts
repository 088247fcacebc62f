import { elementsOf, type TensorData } from '../../graph/element-type.js';
import { mapElements } from '../../graph/fold.js';
import type { GraphBuilder } from '../../graph/graph-builder.js';
import type { Value } from '../../graph/value.js';
import { ImportError } from '../../import-error.js';
import { halfToNumber } from '../half-float.js';
import type { TfliteTensor } from './tflite-model.js';

/** The numbers stored in a constant, before any scale. */
export function storedNumbers(tensor: TfliteTensor): TensorData {
  const { data, type, name } = tensor;
  if (data === undefined) throw new ImportError(`tensor ${name} must be a constant`);
  // A copy, so that a typed array may start at any byte of the file.
  const { buffer } = new Uint8Array(data);
  switch (type) {
    case 'float32':
      return new Float32Array(buffer);
    case 'float16':
      return Float32Array.from(new Uint16Array(buffer), halfToNumber);
    case 'int32':
      return new Int32Array(buffer);
    case 'uint8':
      return new Uint8Array(buffer);
    case 'int64':
      return new BigInt64Array(buffer);
    case 'int8':
      return new Int8Array(buffer);
  }
}

/** How a constant's elements are rearranged for ONNX. */
export interface Rearrangement {
  readonly dims: readonly number[];
  /** Index of the source element at a position of `dims`. */
  readonly sourceOf: (position: readonly number[]) => number;
  /** The axis of `dims` that scales of each channel belong to. */
  readonly axis: number;
}

/**
 * A constant as floats, its elements rearranged. With `keepQuantised` it stays in 8 or 32 bits in the file, followed
 * by `DequantizeLinear`; uint8 weights are shifted to int8, for which ONNX Runtime has its fastest kernels.
 */
export function floatConstant(
  builder: GraphBuilder,
  tensor: TfliteTensor,
  layout: Rearrangement,
  keepQuantised: boolean,
): Value {
  const { dims, sourceOf, axis } = layout;
  const stored = mapElements(storedNumbers(tensor), dims, sourceOf);
  const { quantisation, type, name } = tensor;
  if (stored instanceof Float32Array) return builder.constant('float32', dims, stored, name);
  if (quantisation === undefined || (type !== 'uint8' && type !== 'int8' && type !== 'int32')) {
    throw new ImportError(`tensor ${name} of type ${type} has no scale`);
  }
  const { scales, zeroPoints } = quantisation;
  if (scales.length !== 1 && scales.length !== dims[axis]) {
    throw new ImportError(`tensor ${name} has ${scales.length} scales for ${dims[axis]} channels`);
  }
  if (!keepQuantised) {
    const inner = dims.slice(axis + 1).reduce((product, side) => product * side, 1);
    const channelOf = (index: number) =>
      scales.length === 1 ? 0 : Math.floor(index / inner) % scales.length;
    const real = Float32Array.from<number | bigint>(stored, (number, index) => {
      const channel = channelOf(index);
      return (Number(number) - (zeroPoints[channel] ?? 0)) * (scales[channel] ?? 1);
    });
    return builder.constant('float32', dims, real, name);
  }
  const shift = type === 'uint8' ? 128 : 0;
  const keptType = type === 'int32' ? 'int32' : 'int8';
  const kept = type === 'uint8' ? Int8Array.from(stored as Uint8Array, (number) => number - shift) : stored;
  const each = scales.length === 1 ? [] : [scales.length];
  const inputs = [
    builder.constant(keptType, dims, kept, name),
    builder.constant('float32', each, Float32Array.from(scales), 'scale'),
    builder.constant(
      keptType,
      each,
      elementsOf(
        keptType,
        zeroPoints.map((point) => point - shift),
      ),
      'zero_point',
    ),
  ];
  const attributes = scales.length === 1 ? {} : { axis };
  return builder.node('DequantizeLinear', inputs, attributes, { type: 'float32', dims });
}
