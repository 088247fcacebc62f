import { ImportError } from '../import-error.js';
import { elementsOf } from './element-type.js';
import { foldMove, isFoldable, stridesOf } from './fold.js';
import type { GraphBuilder } from './graph-builder.js';
import { axisFromFront, resolveReshape } from './shape.js';
import { asChannelsFirst, asDims, channelsFirstAxis, permute } from './storage.js';
import type { Value } from './value.js';

/** Nodes that move elements about and compute nothing. All work on `dims` as meant; on constants they fold. */

export function reshape(builder: GraphBuilder, value: Value, target: readonly number[]): Value {
  const dims = resolveReshape(value.dims, target);
  if (value.constant !== undefined) return builder.constant(value.type, dims, value.constant, value.name);
  const keepsBatch = builder.freeBatch && dims[0] === value.dims[0];
  // 0: as many as there are.
  const shape = builder.integers(keepsBatch ? [0, ...dims.slice(1)] : dims, 'shape');
  return builder.node('Reshape', [asDims(builder, value), shape], {}, { type: value.type, dims });
}

export function transpose(builder: GraphBuilder, value: Value, permutation: readonly number[]): Value {
  const rank = value.dims.length;
  const axes = permutation.map((axis) => axisFromFront(axis, rank));
  if (new Set(axes).size !== rank) throw new ImportError(`[${permutation}] does not permute ${rank} dims`);
  const dims = permute(value.dims, axes);
  const strides = permute(stridesOf(value.dims), axes);
  const folded = foldMove(builder, value, dims, (position) => dot(position, strides));
  return (
    folded ?? builder.node('Transpose', [asDims(builder, value)], { perm: axes }, { type: value.type, dims })
  );
}

/** Elements `begin`, `begin + step`, … of every axis, `sizes` of them. */
export function slice(
  builder: GraphBuilder,
  value: Value,
  begins: readonly number[],
  sizes: readonly number[],
  steps: readonly number[],
): Value {
  const strides = stridesOf(value.dims);
  const offset = dot(begins, strides);
  const stepStrides = strides.map((stride, axis) => stride * (steps[axis] ?? 1));
  const folded = foldMove(builder, value, sizes, (position) => offset + dot(position, stepStrides));
  if (folded !== undefined) return folded;
  const cut = value.dims
    .map((_, axis) => axis)
    .filter((axis) => sizes[axis] !== value.dims[axis] || steps[axis] !== 1);
  if (cut.length === 0) return value;
  const at = (list: readonly number[]) => cut.map((axis) => list[axis] ?? 0);
  const ends = begins.map((begin, axis) => {
    const step = steps[axis] ?? 1;
    const end = begin + (sizes[axis] ?? 0) * step;
    // A negative end past the first element must not count from the end.
    return end < 0 ? -(2 ** 31) : end;
  });
  const lists = [at(begins), at(ends), cut, at(steps)].map((list) => builder.integers(list));
  return builder.node('Slice', [asDims(builder, value), ...lists], {}, { type: value.type, dims: sizes });
}

export function concat(builder: GraphBuilder, values: readonly Value[], axis: number): Value {
  const [first] = values;
  if (first === undefined) throw new ImportError('nothing to join');
  const rank = first.dims.length;
  const at = axisFromFront(axis, rank);
  for (const { dims } of values) {
    if (dims.length !== rank || dims.some((side, other) => other !== at && side !== first.dims[other])) {
      throw new ImportError(`shapes [${first.dims}] and [${dims}] do not join along axis ${at}`);
    }
  }
  const dims = first.dims.map((side, other) =>
    other === at ? sum(values.map((value) => value.dims[at] ?? 0)) : side,
  );
  if (values.length === 1) return first;
  if (isFoldable(values, dims)) return foldConcat(builder, values, dims, at);
  const channelsFirst = rank === 4 && values.some((value) => value.storage === 'channels-first');
  const inputs = values.map((value) =>
    channelsFirst ? asChannelsFirst(builder, value) : asDims(builder, value),
  );
  const storedAxis = channelsFirst ? (channelsFirstAxis[at] ?? at) : at;
  const storage = channelsFirst ? 'channels-first' : 'as-dims';
  return builder.node('Concat', inputs, { axis: storedAxis }, { type: first.type, dims, storage });
}

export function tile(builder: GraphBuilder, value: Value, repeats: readonly number[]): Value {
  if (
    repeats.length !== value.dims.length ||
    !repeats.every((times) => Number.isInteger(times) && times >= 0)
  )
    throw new ImportError(`[${repeats}] does not repeat [${value.dims}]`);
  const dims = value.dims.map((side, axis) => side * (repeats[axis] ?? 1));
  const strides = stridesOf(value.dims);
  const folded = foldMove(builder, value, dims, (position) =>
    dot(
      position.map((at, axis) => at % (value.dims[axis] ?? 1)),
      strides,
    ),
  );
  if (folded !== undefined) return folded;
  return builder.node(
    'Tile',
    [asDims(builder, value), builder.integers(repeats)],
    {},
    { type: value.type, dims },
  );
}

function foldConcat(
  builder: GraphBuilder,
  values: readonly Value[],
  dims: readonly number[],
  axis: number,
): Value {
  const outer = dims.slice(0, axis).reduce((product, side) => product * side, 1);
  const parts: number[] = [];
  for (let row = 0; row < outer; row++) {
    for (const value of values) {
      const run = (value.constant?.length ?? 0) / outer;
      for (let index = 0; index < run; index++) parts.push(Number(value.constant?.[row * run + index]));
    }
  }
  const [first] = values;
  const type = first?.type ?? 'float32';
  return builder.constant(type, dims, elementsOf(type, parts), first?.name);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((total, number, index) => total + number * (b[index] ?? 0), 0);
}
