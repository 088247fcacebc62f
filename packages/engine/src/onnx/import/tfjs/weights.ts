import type { TensorData } from '../../graph/element-type.js';
import type { GraphBuilder } from '../../graph/graph-builder.js';
import { elementCount, type Value } from '../../graph/value.js';
import { ImportError } from '../../import-error.js';
import { halfToNumber } from '../half-float.js';
import type { GraphModel, WeightEntry } from './graph-model.js';

/** Bytes of an element in a shard, by its stored type. */
const storedBytes: Readonly<Record<string, number>> = {
  float32: 4,
  int32: 4,
  bool: 1,
  uint8: 1,
  uint16: 2,
  float16: 2,
};

/**
 * The model's constants by node name. The shards are one stream of bytes; weights follow each other in the order
 * of the manifest. Weights may be stored as float16, or as uint8 or uint16 with `scale` and `min`.
 */
export function readWeights(
  builder: GraphBuilder,
  manifest: GraphModel['weightsManifest'],
  shards: readonly Uint8Array[],
): Map<string, Value> {
  const bytes = Buffer.concat(shards);
  const weights = new Map<string, Value>();
  let at = 0;
  for (const entry of manifest.flatMap((group) => group.weights)) {
    const stored = entry.quantization?.dtype ?? entry.dtype;
    const size = storedBytes[stored];
    if (size === undefined)
      throw new ImportError(`weight ${entry.name} is of type ${stored}, which is not supported`);
    const end = at + elementCount(entry.shape) * size;
    if (!(end <= bytes.length)) {
      throw new ImportError(
        `the weight shards end at byte ${bytes.length}, within ${entry.name}: is a shard missing?`,
      );
    }
    weights.set(entry.name, readWeight(builder, entry, bytes.subarray(at, end)));
    at = end;
  }
  if (at !== bytes.length) {
    throw new ImportError(`the weight shards hold ${bytes.length} bytes, but model.json describes ${at}`);
  }
  return weights;
}

function readWeight(builder: GraphBuilder, entry: WeightEntry, bytes: Buffer): Value {
  const { name, shape, dtype, quantization } = entry;
  // A copy, so that a typed array may start at any byte.
  const { buffer } = new Uint8Array(bytes);
  if (quantization !== undefined) {
    if (dtype !== 'float32') throw new ImportError(`weight ${name}: a quantised ${dtype} is not supported`);
    return builder.constant('float32', shape, dequantise(quantization, buffer), name);
  }
  if (dtype === 'float32') return builder.constant('float32', shape, new Float32Array(buffer), name);
  if (dtype === 'bool') return builder.constant('bool', shape, new Uint8Array(buffer), name);
  if (dtype !== 'int32') throw new ImportError(`weight ${name} is of type ${dtype}, which is not supported`);
  return builder.constant(
    'int64',
    shape,
    BigInt64Array.from(Array.from(new Int32Array(buffer), BigInt)),
    name,
  );
}

function dequantise(quantization: NonNullable<WeightEntry['quantization']>, buffer: ArrayBuffer): TensorData {
  const { dtype, scale = 1, min = 0 } = quantization;
  if (dtype === 'float16') return Float32Array.from(new Uint16Array(buffer), halfToNumber);
  const stored = dtype === 'uint8' ? new Uint8Array(buffer) : new Uint16Array(buffer);
  return Float32Array.from(stored, (step) => step * scale + min);
}
