import { ImportError } from '../import-error.js';

/** `TensorProto.DataType` of the element types that we write. */
export const elementTypeCodes = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7, bool: 9 } as const;
export type ElementType = keyof typeof elementTypeCodes;

export type TensorData = Float32Array | Uint8Array | Int8Array | Int32Array | BigInt64Array;

/** Elements of `type` from plain numbers; floats are rounded to single precision, `bool` is 0 or 1. */
export function elementsOf(type: ElementType, numbers: ArrayLike<number>): TensorData {
  switch (type) {
    case 'float32':
      return Float32Array.from(numbers);
    case 'uint8':
    case 'bool':
      return Uint8Array.from(numbers);
    case 'int8':
      return Int8Array.from(numbers);
    case 'int32':
      return Int32Array.from(numbers);
    case 'int64':
      return BigInt64Array.from(Array.from(numbers, wholeNumber));
  }
}

function wholeNumber(number: number): bigint {
  if (!Number.isFinite(number)) throw new ImportError(`${number} stands where a whole number is needed`);
  return BigInt(Math.trunc(number));
}
