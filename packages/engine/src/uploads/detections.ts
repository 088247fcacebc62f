import { writeDetections } from '../onnx/assemble/suppress.js';
import { elementTypeCodes } from '../onnx/graph/element-type.js';
import type { GraphBuilder } from '../onnx/graph/graph-builder.js';
import { reshape, slice, transpose } from '../onnx/graph/move.js';
import { elementCount, type Value } from '../onnx/graph/value.js';
import { compute, cornerColumns, writeCorners } from './boxes.js';
import { activate } from './classes.js';
import { type HeadPlanOf, plainRow, type UploadPlan } from './plan.js';

/** Boxes kept a class; an answer has 100 at most. */
const maxPerClass = 100;

/** One output of box, perhaps objectness, and scores a class. */
export function writeColumns(
  builder: GraphBuilder,
  value: Value,
  head: HeadPlanOf<'columns'>,
  { input, labels }: UploadPlan,
): void {
  const whole = reshape(builder, value, value.dims.slice(-3));
  const rows = head.columnsFirst ? transpose(builder, whole, [0, 2, 1]) : whole;
  const count = rows.dims[1] ?? 0;
  const columns = (from: number, width: number) =>
    slice(builder, rows, [0, 0, from], [1, count, width], [1, 1, 1]);
  const first = head.objectness ? 5 : 4;
  const classes = activate(builder, columns(first, labels.length), head.activation);
  const scores = head.objectness
    ? compute(builder, 'Mul', classes, activate(builder, columns(4, 1), head.activation))
    : classes;
  const angle = head.angleColumn === undefined ? undefined : columns(head.angleColumn, 1);
  writeDetections(builder, {
    corners: writeCorners(builder, columns(0, 4), head.boxes, input, angle),
    columns: cornerColumns(head.boxes),
    scores: transpose(builder, scores, [0, 2, 1]),
    maxPerClass,
  });
}

/** Boxes beside the scores of all classes. */
export function writePair(
  builder: GraphBuilder,
  boxes: Value,
  scores: Value,
  head: HeadPlanOf<'pair'>,
  { input }: UploadPlan,
): void {
  const count = elementCount(boxes.dims) / 4;
  const all = reshape(builder, scores, [1, count, elementCount(scores.dims) / count]);
  const turned = transpose(builder, activate(builder, all, head.activation), [0, 2, 1]);
  writeDetections(builder, {
    corners: writeCorners(builder, reshape(builder, boxes, [1, count, 4]), head.boxes, input),
    columns: cornerColumns(head.boxes),
    scores: builder.node(
      'Gather',
      [turned, builder.integers(head.columns, 'columns')],
      { axis: 1 },
      { type: 'float32', dims: [1, head.columns.length, count] },
    ),
    maxPerClass,
  });
}

/** Boxes with one score and one class each; their number may change from image to image. */
export function writeList(
  builder: GraphBuilder,
  boxes: Value,
  scores: Value,
  classes: Value,
  head: HeadPlanOf<'list'>,
  { input, labels }: UploadPlan,
): void {
  const flat = (value: Value) => listOf(builder, value, 'after');
  writeDetections(builder, {
    corners: writeCorners(builder, listOf(builder, boxes, 'before', 4), head.boxes, input),
    columns: cornerColumns(head.boxes),
    scores: spread(builder, flat(scores), flat(classes), head.firstClass, labels.length),
    maxPerClass,
  });
}

/** Rows of box and score with the class numbers in another output; their number may change from image to image. */
export function writeScoredBoxes(
  builder: GraphBuilder,
  value: Value,
  classes: Value,
  head: HeadPlanOf<'scored-boxes'>,
  { input, labels }: UploadPlan,
): void {
  const rows = listOf(builder, value, 'before', 5);
  const cut = (from: number, count: number) =>
    slice(builder, rows, [0, 0, from], [1, anyCount, count], [1, 1, 1]);
  const flat = (list: Value) => listOf(builder, list, 'after');
  writeDetections(builder, {
    corners: writeCorners(builder, cut(0, 4), head.boxes, input),
    columns: cornerColumns(head.boxes),
    scores: spread(builder, flat(cut(4, 1)), flat(classes), head.firstClass, labels.length),
    maxPerClass,
  });
}

/** Rows of box, score and class; their number may change from image to image. */
export function writeRows(
  builder: GraphBuilder,
  value: Value,
  head: HeadPlanOf<'rows'>,
  { input, labels }: UploadPlan,
): void {
  const { width = 6, columns = plainRow } = head;
  const rows = listOf(builder, value, 'before', width);
  const cut = (from: number, count: number) =>
    slice(builder, rows, [0, 0, from], [1, anyCount, count], [1, 1, 1]);
  const flat = (column: number) => listOf(builder, cut(column, 1), 'after');
  const angle = columns.angle === undefined ? undefined : cut(columns.angle, 1);
  writeDetections(builder, {
    corners: writeCorners(builder, cut(columns.box, 4), head.boxes, input, angle),
    columns: cornerColumns(head.boxes),
    scores: spread(builder, flat(columns.score), flat(columns.class), head.firstClass, labels.length),
    maxPerClass,
  });
}

/** A nominal number of boxes, where it is known only at run time: nothing is written of it. */
const anyCount = 1_000;

/** [1,n,width], or [1,1,n] of single numbers, for any n. */
function listOf(builder: GraphBuilder, value: Value, axis: 'before' | 'after', width = 1): Value {
  const target = axis === 'before' ? [1, -1, width] : [1, 1, -1];
  const dims = target.map((side) => (side === -1 ? anyCount : side));
  return builder.node('Reshape', [value, builder.integers(target)], {}, { type: 'float32', dims });
}

/** Scores [1,1,n] of the classes [1,1,n] as [1,classes,n], 0 for every other class. */
function spread(
  builder: GraphBuilder,
  scores: Value,
  classes: Value,
  firstClass: number,
  count: number,
): Value {
  const numbers = Float32Array.from({ length: count }, (_, index) => firstClass + index);
  const all = builder.constant('float32', [1, count, 1], numbers, 'class_numbers');
  const dims = [1, count, scores.dims[2] ?? 0];
  // Quantised nets and half floats give numbers beside the whole ones.
  const whole = builder.node('Round', [classes], {}, classes);
  const isClass = builder.node('Equal', [whole, all], {}, { type: 'bool', dims });
  const mask = builder.node('Cast', [isClass], { to: elementTypeCodes.float32 }, { type: 'float32', dims });
  return compute(builder, 'Mul', mask, scores);
}
