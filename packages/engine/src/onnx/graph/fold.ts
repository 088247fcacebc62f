import { ImportError } from '../import-error.js';
import { elementsOf, type TensorData } from './element-type.js';
import type { GraphBuilder } from './graph-builder.js';
import { elementCount, type Value } from './value.js';

/**
 * Constant folding while the graph is built: shape arithmetic must end in constants, and anchors and the like
 * may. Larger tensors are left to ONNX Runtime, which folds what remains when it loads the model.
 */
const maxFoldedElements = 65_536;

export function isFoldable(inputs: readonly Value[], outDims: readonly number[]): boolean {
  const count = elementCount(outDims);
  return inputs.every((input) => input.constant !== undefined) && count >= 0 && count <= maxFoldedElements;
}

/** The whole numbers of a constant, such as a shape or axes. */
export function integersIn(value: Value, meaning: string): number[] {
  if (value.constant === undefined)
    throw new ImportError(`${meaning} must be known when the model is converted`);
  return Array.from<number | bigint, number>(value.constant, Number);
}

/** A tensor of `outDims` whose element at a position is that of `data` at the index `sourceOf` gives. */
export function mapElements(
  data: TensorData,
  outDims: readonly number[],
  sourceOf: (position: readonly number[]) => number,
): TensorData {
  const count = elementCount(outDims);
  const sources = new Uint32Array(count);
  const position = outDims.map(() => 0);
  for (let index = 0; index < count; index++) {
    sources[index] = sourceOf(position);
    advance(position, outDims);
  }
  return takeElements(data, sources);
}

/** The folded result of a node that only moves elements. */
export function foldMove(
  builder: GraphBuilder,
  value: Value,
  outDims: readonly number[],
  sourceOf: (position: readonly number[]) => number,
): Value | undefined {
  if (value.constant === undefined || !isFoldable([value], outDims)) return undefined;
  return builder.constant(value.type, outDims, mapElements(value.constant, outDims, sourceOf), value.name);
}

/** The folded result of an elementwise node, with broadcasting. */
export function foldElementwise(
  builder: GraphBuilder,
  inputs: readonly Value[],
  type: Value['type'],
  outDims: readonly number[],
  compute: (...operands: number[]) => number,
): Value | undefined {
  if (!isFoldable(inputs, outDims)) return undefined;
  const stretched = inputs.map((input) => {
    const strides = broadcastStrides(input.dims, outDims);
    return mapElements(input.constant ?? new Float32Array(), outDims, (position) =>
      position.reduce((index, at, axis) => index + at * (strides[axis] ?? 0), 0),
    );
  });
  const numbers = Array.from({ length: elementCount(outDims) }, (_, index) =>
    compute(...stretched.map((data) => Number(data[index]))),
  );
  return builder.constant(type, outDims, elementsOf(type, numbers), inputs[0]?.name);
}

/** Row-major strides, in elements. */
export function stridesOf(dims: readonly number[]): number[] {
  const strides = dims.map(() => 1);
  for (let axis = dims.length - 2; axis >= 0; axis--) {
    strides[axis] = (strides[axis + 1] ?? 1) * (dims[axis + 1] ?? 1);
  }
  return strides;
}

function broadcastStrides(dims: readonly number[], outDims: readonly number[]): number[] {
  const strides = stridesOf(dims);
  const shift = outDims.length - dims.length;
  return outDims.map((_, axis) =>
    axis < shift || dims[axis - shift] === 1 ? 0 : (strides[axis - shift] ?? 0),
  );
}

function advance(position: number[], dims: readonly number[]): void {
  for (let axis = dims.length - 1; axis >= 0; axis--) {
    const next = (position[axis] ?? 0) + 1;
    if (next < (dims[axis] ?? 1)) {
      position[axis] = next;
      return;
    }
    position[axis] = 0;
  }
}

function takeElements(data: TensorData, sources: Uint32Array): TensorData {
  if (data instanceof BigInt64Array) {
    const taken = new BigInt64Array(sources.length);
    for (let index = 0; index < sources.length; index++) taken[index] = data[sources[index] ?? 0] ?? 0n;
    return taken;
  }
  const taken = elementsLike(data, sources.length);
  for (let index = 0; index < sources.length; index++) taken[index] = data[sources[index] ?? 0] ?? 0;
  return taken;
}

function elementsLike(
  data: Exclude<TensorData, BigInt64Array>,
  length: number,
): Exclude<TensorData, BigInt64Array> {
  if (data instanceof Float32Array) return new Float32Array(length);
  if (data instanceof Int8Array) return new Int8Array(length);
  if (data instanceof Int32Array) return new Int32Array(length);
  return new Uint8Array(length);
}
