import type { Node, TensorProto } from '../proto/model.js';
import type { EightBit, KnownTypes } from './eight-bit-types.js';

/** An input of a node that gets the other 8-bit type, with the input of its zero point. */
export interface Operand {
  readonly value: number;
  readonly zeroPoint: number;
  readonly to: EightBit;
  /** The input whose shape a missing zero point takes; without it a scalar will do. */
  readonly shapedAs?: number;
}

interface Product {
  /** Input that is multiplied by the weights; undefined where the operator itself makes it uint8. */
  readonly activation: number | undefined;
  readonly weights: number;
  readonly zeroPoint: number;
}

/**
 * Where operators of ONNX and of ONNX Runtime multiply 8-bit integers: the positions of their inputs. Weights of one node
 * share a type.
 */
const products = new Map<string, readonly Product[]>([
  ['MatMulInteger', [{ activation: 0, weights: 1, zeroPoint: 3 }]],
  ['QLinearMatMul', [{ activation: 0, weights: 3, zeroPoint: 5 }]],
  ['QLinearConv', [{ activation: 0, weights: 3, zeroPoint: 5 }]],
  ['QGemm', [{ activation: 0, weights: 3, zeroPoint: 5 }]],
  ['MatMulIntegerToFloat', [{ activation: 0, weights: 1, zeroPoint: 5 }]],
  ['DynamicQuantizeMatMul', [{ activation: undefined, weights: 1, zeroPoint: 3 }]],
  ['QAttention', [{ activation: 0, weights: 1, zeroPoint: 7 }]],
  [
    'DynamicQuantizeLSTM',
    [
      { activation: undefined, weights: 1, zeroPoint: 9 },
      { activation: undefined, weights: 2, zeroPoint: 11 },
    ],
  ],
]);

/**
 * The operands that make a node multiply uint8 by int8, which CPUs without VNNI add up in 16 bits, and the type with which
 * it does not. int8 by int8 is exact everywhere, and so is uint8 by uint8.
 * @param isQuantised Whether a value comes directly from `QuantizeLinear`.
 */
export function saturatingOperands(
  { opType = '', input = [] }: Node,
  known: KnownTypes,
  isQuantised: (name: string) => boolean,
): readonly Operand[] {
  const typeAt = (index: number) => known.get(input[index] ?? '');
  if (opType === 'DequantizeLinear') {
    // The runtime makes unsigned QDQ pairs itself, and does not fuse them with nodes between.
    const isWeight = typeAt(0) === 'int8' && !isQuantised(input[0] ?? '');
    return isWeight ? [{ value: 0, zeroPoint: 2, to: 'uint8', shapedAs: 1 }] : [];
  }
  if (opType === 'ConvInteger') {
    // Here the weights are the left side of the product, and the signed side is the image.
    const saturates = typeAt(0) === 'int8' && typeAt(1) === 'uint8';
    return saturates ? [{ value: 1, zeroPoint: 3, to: 'int8' }] : [];
  }
  return (products.get(opType) ?? [])
    .filter(({ weights }) => typeAt(weights) === 'int8')
    .filter(({ activation }) => activation === undefined || typeAt(activation) === 'uint8')
    .map(({ weights, zeroPoint }) => ({ value: weights, zeroPoint, to: 'uint8' }));
}

/** Two products that are added in 16 bits at once: 255 x 128 still fits, in either direction. */
const maxPair = 128;

/** Whether no two products of these int8 weights with any uint8 can exceed 16 bits. */
export function fitSixteenBits(weights: TensorProto): boolean {
  let [high, second, low, nextLow] = [0, 0, 0, 0];
  for (const byte of bytesOf(weights)) {
    const weight = byte > 127 ? byte - 256 : byte;
    if (weight > second) {
      second = Math.min(weight, high);
      high = Math.max(weight, high);
      if (high + second > maxPair) return false;
    } else if (weight < nextLow) {
      nextLow = Math.max(weight, low);
      low = Math.min(weight, low);
      if (low + nextLow < -maxPair) return false;
    }
  }
  return true;
}

/** The elements of an 8-bit tensor, as bytes. */
export function bytesOf({ rawData, int32Data = [] }: TensorProto): Uint8Array {
  return rawData !== undefined && rawData.length > 0
    ? rawData
    : Uint8Array.from(int32Data, (each) => each & 255);
}
