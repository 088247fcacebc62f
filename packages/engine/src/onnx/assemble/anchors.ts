import { elementTypeCodes } from '../graph/element-type.js';
import type { GraphBuilder } from '../graph/graph-builder.js';
import type { Value } from '../graph/value.js';
import type { AnchorGrid } from '../recipe.js';

export interface Anchors {
  /** f32 [1,n,2]: x and y, relative to the image. */
  readonly centres: Value;
  /** f32 [1,n,2]: width and height, relative to the image. */
  readonly sizes: Value;
}

const float = { type: 'float32', dims: [-1] } as const;
const whole = { type: 'int64', dims: [-1] } as const;

/**
 * Anchors for the image size of a run: grid by grid, row by row, cell by cell, size by size. Cells are
 * `stride` pixels also where that does not divide the image: the published nets stretch them over its whole side then,
 * but boxes that are independent of padding below and beside an image proved correct (IoU .9999).
 * @param image [1,channels,h,w]
 */
export function writeAnchors(builder: GraphBuilder, image: Value, grids: readonly AnchorGrid[]): Anchors {
  const shape = builder.node('Shape', [image], {}, whole);
  const side = (axis: number) =>
    builder.node('Gather', [shape, builder.integers([axis])], { axis: 0 }, whole);
  const [height, width] = [side(2), side(3)];
  // [w,h], to divide pairs of x and y by.
  const extent = toFloat(builder, builder.node('Concat', [width, height], { axis: 0 }, whole));
  const parts = grids.map((grid) => writeGrid(builder, grid, width, height));
  const joined = (values: readonly Value[]) => {
    const all = builder.node('Concat', values, { axis: 1 }, float);
    const limits = [builder.scalar('float32', 0), builder.scalar('float32', 1)];
    return builder.node('Clip', [builder.node('Div', [all, extent], {}, float), ...limits], {}, float);
  };
  return {
    centres: joined(parts.map(({ centres }) => centres)),
    sizes: joined(parts.map(({ sizes }) => sizes)),
  };
}

/** In pixels, [1,n,2] both. */
function writeGrid(
  builder: GraphBuilder,
  { stride, sizes }: AnchorGrid,
  width: Value,
  height: Value,
): Anchors {
  const [columns, rows] = [cells(builder, width, stride), cells(builder, height, stride)];
  const x = centresAlong(builder, columns, stride, [1, -1, 1, 1]);
  const y = centresAlong(builder, rows, stride, [-1, 1, 1, 1]);
  const each = builder.constant('float32', [1, 1, sizes.length, 1], Float32Array.from(sizes), 'sizes');
  const shape = builder.node(
    'Concat',
    [rows, columns, builder.integers([sizes.length]), builder.integers([1])],
    { axis: 0 },
    whole,
  );
  const spread = (value: Value) => builder.node('Expand', [value, shape], {}, float);
  const pairs = (first: Value, second: Value) => {
    const joined = builder.node('Concat', [spread(first), spread(second)], { axis: 3 }, float);
    return builder.node('Reshape', [joined, builder.integers([1, -1, 2], 'pairs')], {}, float);
  };
  return { centres: pairs(x, y), sizes: pairs(each, each) };
}

/** Cells of a grid along a side, the last one cut: [1]. */
function cells(builder: GraphBuilder, side: Value, stride: number): Value {
  const rounded = builder.node('Add', [side, builder.integers([stride - 1])], {}, whole);
  return builder.node('Div', [rounded, builder.integers([stride])], {}, whole);
}

function centresAlong(builder: GraphBuilder, count: Value, stride: number, shape: readonly number[]): Value {
  const scalar = builder.node('Squeeze', [count, builder.integers([0])], {}, { type: 'int64', dims: [] });
  const [start, step] = [builder.scalar('int64', 0), builder.scalar('int64', 1)];
  const indices = toFloat(builder, builder.node('Range', [start, scalar, step], {}, whole));
  const shifted = builder.node('Add', [indices, builder.scalar('float32', 0.5)], {}, float);
  const pixels = builder.node('Mul', [shifted, builder.scalar('float32', stride)], {}, float);
  return builder.node('Reshape', [pixels, builder.integers(shape)], {}, float);
}

function toFloat(builder: GraphBuilder, value: Value): Value {
  return builder.node('Cast', [value], { to: elementTypeCodes.float32 }, float);
}
