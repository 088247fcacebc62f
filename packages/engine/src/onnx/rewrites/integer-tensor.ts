import type { TensorProto } from '../proto/model.js';

/** `TensorProto.DataType`. */
const int64 = 7;

/** A list of int64, as shapes, axes and the like are given to a node. */
export function integerTensor(name: string, numbers: readonly number[]): TensorProto {
  const { buffer } = BigInt64Array.from(numbers, BigInt);
  return { name, dims: [BigInt(numbers.length)], dataType: int64, rawData: new Uint8Array(buffer) };
}
