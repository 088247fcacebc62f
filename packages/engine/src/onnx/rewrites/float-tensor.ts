import type { TensorProto } from '../proto/model.js';

/** Constant f32 numbers in row-major order. */
export interface FloatTensor {
  readonly dims: readonly number[];
  readonly data: Float32Array;
}

/** `TensorProto.DataType`. */
const float32 = 1;

/** The numbers of an f32 tensor; undefined for other types, for bytes in another file, and where numbers are missing. */
export function floatsOf(tensor: TensorProto): FloatTensor | undefined {
  const { dataType, rawData, floatData = [], externalData = [], dataLocation = 0 } = tensor;
  if (dataType !== float32 || externalData.length > 0 || dataLocation !== 0) return undefined;
  const dims = (tensor.dims ?? []).map(Number);
  const count = dims.reduce((product, side) => product * side, 1);
  const isRaw = rawData !== undefined && rawData.length > 0;
  if ((isRaw ? rawData.length / 4 : floatData.length) !== count) return undefined;
  // A copy: views into a file may start at any byte.
  const data = isRaw ? new Float32Array(new Uint8Array(rawData).buffer) : Float32Array.from(floatData);
  return data.every(Number.isFinite) ? { dims, data } : undefined;
}

/** An f32 tensor of these numbers, rounded to single precision. */
export function floatTensor(name: string, dims: readonly number[], numbers: ArrayLike<number>): TensorProto {
  const { buffer } = Float32Array.from(numbers);
  return { name, dims: dims.map(BigInt), dataType: float32, rawData: new Uint8Array(buffer) };
}

/** The number of a constant of one element. */
export function singleNumber(tensor: FloatTensor | undefined): number | undefined {
  return tensor?.data.length === 1 ? tensor.data[0] : undefined;
}

/**
 * One number a channel, where `tensor` broadcasts so over a value [n,channels,…] of `rank` dims and leaves its shape as it is;
 * undefined otherwise.
 */
export function perChannel(tensor: FloatTensor, channels: number, rank: number): Float32Array | undefined {
  const { dims, data } = tensor;
  if (dims.length > rank) return undefined;
  const padded = [...Array.from({ length: rank - dims.length }, () => 1), ...dims];
  const fits = padded.every((side, axis) => side === 1 || (axis === 1 && side === channels));
  if (!fits) return undefined;
  return data.length === 1 ? new Float32Array(channels).fill(data[0] ?? 0) : data;
}
