import type { GraphBuilder } from '../onnx/graph/graph-builder.js';
import { concat, slice } from '../onnx/graph/move.js';
import type { Value } from '../onnx/graph/value.js';
import type { Boxes, InputPlan } from './plan.js';
import { UploadRefused } from './upload-refused.js';

/** Columns of corners that hold xMin, yMin, xMax, yMax. */
export function cornerColumns({ format }: Boxes): [number, number, number, number] {
  return format === 'yxyx' ? [1, 0, 3, 2] : [0, 1, 2, 3];
}

/**
 * Boxes [1,n,4] as two corners relative to the image, in the order of the format.
 * @param angle [1,n,1] in radians: boxes of centre and size are turned by it, and the upright boxes around them are given.
 */
export function writeCorners(
  builder: GraphBuilder,
  value: Value,
  boxes: Boxes,
  input: InputPlan,
  angle?: Value,
): Value {
  const { format, unit, strides } = boxes;
  const given = strides === undefined ? value : ungrid(builder, value, strides, input);
  const isInPixels = unit === 'pixels' || strides !== undefined;
  const sides = format === 'yxyx' ? [input.height, input.width] : [input.width, input.height];
  const factors = [...sides, ...sides].map((side) => 1 / side);
  const relative = isInPixels ? compute(builder, 'Mul', given, numbers(builder, factors)) : given;
  if (format !== 'cxcywh') return relative;
  const [centre, upright] = halves(builder, relative);
  const size = angle === undefined ? upright : around(builder, upright, angle, input);
  const half = compute(builder, 'Mul', size, builder.scalar('float32', 0.5));
  return concat(builder, [compute(builder, 'Sub', centre, half), compute(builder, 'Add', centre, half)], 2);
}

/** Width and height [1,n,2] of the upright boxes around turned ones: w |cos| + h |sin|, w |sin| + h |cos|, in pixels. */
function around(builder: GraphBuilder, size: Value, angle: Value, { width, height }: InputPlan): Value {
  const absolute = (op: 'Cos' | 'Sin') =>
    builder.node('Abs', [builder.node(op, [angle], {}, angle)], {}, angle);
  const swapped = concat(builder, [column(builder, size, 1), column(builder, size, 0)], 2);
  // Relative sides are of different units where the input is no square.
  const other = compute(builder, 'Mul', swapped, numbers(builder, [height / width, width / height]));
  return compute(
    builder,
    'Add',
    compute(builder, 'Mul', size, absolute('Cos')),
    compute(builder, 'Mul', other, absolute('Sin')),
  );
}

function column(builder: GraphBuilder, value: Value, index: number): Value {
  return slice(builder, value, [0, 0, index], [1, value.dims[1] ?? 0, 1], [1, 1, 1]);
}

/** YOLOX (Ge et al. 2021): centre = (offset + cell) x stride, side = exp(side) x stride. */
function ungrid(
  builder: GraphBuilder,
  value: Value,
  strides: readonly number[],
  { width, height }: InputPlan,
): Value {
  const count = value.dims[1] ?? 0;
  const cells = new Float32Array(count * 2);
  const steps = new Float32Array(count * 2);
  let at = 0;
  for (const stride of strides) {
    for (let y = 0; y < Math.floor(height / stride); y++) {
      for (let x = 0; x < Math.floor(width / stride); x++, at += 2) {
        cells.set([x, y], at);
        steps.set([stride, stride], at);
      }
    }
  }
  if (at !== count * 2)
    throw new UploadRefused(
      `grids of stride ${strides.join(', ')} have ${at / 2} cells, but there are ${count} boxes`,
    );
  const [offset, side] = halves(builder, value);
  const step = builder.constant('float32', [1, count, 2], steps, 'strides');
  const cell = builder.constant('float32', [1, count, 2], cells, 'cells');
  const centre = compute(builder, 'Mul', compute(builder, 'Add', offset, cell), step);
  const size = compute(builder, 'Mul', builder.node('Exp', [side], {}, side), step);
  return concat(builder, [centre, size], 2);
}

/** [1,n,4] as two of [1,n,2]. */
function halves(builder: GraphBuilder, value: Value): [Value, Value] {
  const count = value.dims[1] ?? 0;
  const half = (from: number) => slice(builder, value, [0, 0, from], [1, count, 2], [1, 1, 1]);
  return [half(0), half(2)];
}

function numbers(builder: GraphBuilder, list: readonly number[]): Value {
  return builder.constant('float32', [list.length], Float32Array.from(list), 'numbers');
}

export function compute(builder: GraphBuilder, op: 'Add' | 'Sub' | 'Mul', a: Value, b: Value): Value {
  return builder.node(op, [a, b], {}, { type: 'float32', dims: a.dims });
}
