import { toObject } from 'flatbuffers/js/flexbuffers.js';
import { Type } from 'typebox';
import { Value as Schema } from 'typebox/value';
import { elementwise } from '../onnx/graph/elementwise.js';
import type { GraphBuilder } from '../onnx/graph/graph-builder.js';
import { concat, reshape, slice } from '../onnx/graph/move.js';
import { asDims } from '../onnx/graph/storage.js';
import type { Value } from '../onnx/graph/value.js';
import { floatConstant } from '../onnx/import/tflite/constants.js';
import { tensorAt } from '../onnx/import/tflite/import-tflite.js';
import type { TfliteModel, TfliteNode, TfliteTensor } from '../onnx/import/tflite/tflite-model.js';
import { ImportError } from '../onnx/import-error.js';

/**
 * The last operator of TensorFlow's SSD and EfficientDet for TFLite: decodes boxes from anchors and suppresses overlaps
 * (tensorflow/lite/kernels/detection_postprocess.cc). The graph is cut before it, its boxes are decoded here, and the
 * head suppresses.
 */
export interface PostProcess {
  readonly node: TfliteNode;
  readonly boxes: number;
  readonly scores: number;
  readonly anchors: TfliteTensor;
  /** By which offsets were multiplied in training: y, x, height, width. */
  readonly scales: readonly [number, number, number, number];
  readonly classes: number;
}

const Options = Type.Object({
  num_classes: Type.Integer({ minimum: 1, maximum: 100_000 }),
  y_scale: Type.Number({ exclusiveMinimum: 0 }),
  x_scale: Type.Number({ exclusiveMinimum: 0 }),
  h_scale: Type.Number({ exclusiveMinimum: 0 }),
  w_scale: Type.Number({ exclusiveMinimum: 0 }),
});

/** Undefined where the model has none. */
export function readPostProcess(model: TfliteModel): PostProcess | undefined {
  const node = model.operators.find(({ custom }) => custom?.name === 'TFLite_Detection_PostProcess');
  if (node?.custom === undefined) return undefined;
  const [boxes = -1, scores = -1, anchors = -1] = node.inputs;
  let options: unknown;
  try {
    options = toObject(new Uint8Array(node.custom.options).buffer);
  } catch (error) {
    throw new ImportError('the options of TFLite_Detection_PostProcess are damaged', { cause: error });
  }
  if (!Schema.Check(Options, options))
    throw new ImportError('the options of TFLite_Detection_PostProcess lack its scales or classes');
  return {
    node,
    boxes,
    scores,
    anchors: tensorAt(model, anchors),
    scales: [options.y_scale, options.x_scale, options.h_scale, options.w_scale],
    classes: options.num_classes,
  };
}

/** Corners [1,n,4] as yMin, xMin, yMax, xMax relative to the image, and scores [1,n,classes]. */
export function writeDecoded(
  builder: GraphBuilder,
  { boxes, scores, anchors, scales, classes }: PostProcess,
  valueAt: (index: number) => Value,
): { title: string; value: Value }[] {
  const count = anchors.dims[0] ?? 0;
  const offsets = reshape(builder, asDims(builder, valueAt(boxes)), [1, count, 4]);
  const centres = floatConstant(builder, anchors, { dims: [1, count, 4], sourceOf: at4, axis: 0 }, false);
  const pair = (value: Value, from: number) => slice(builder, value, [0, 0, from], [1, count, 2], [1, 1, 1]);
  const numbers = (...list: number[]) =>
    builder.constant('float32', [list.length], Float32Array.from(list), 'scales');
  const compute = (op: string, ...inputs: Value[]) => elementwise(builder, op, inputs);
  const sizes = pair(centres, 2);
  const centre = compute(
    'Add',
    compute('Mul', compute('Mul', pair(offsets, 0), numbers(1 / scales[0], 1 / scales[1])), sizes),
    pair(centres, 0),
  );
  const side = compute(
    'Mul',
    compute('Exp', compute('Mul', pair(offsets, 2), numbers(1 / scales[2], 1 / scales[3]))),
    sizes,
  );
  const half = compute('Mul', side, builder.scalar('float32', 0.5));
  const corners = concat(builder, [compute('Sub', centre, half), compute('Add', centre, half)], 2);
  const all = asDims(builder, valueAt(scores));
  const columns = all.dims.at(-1) ?? 0;
  if (columns < classes) throw new ImportError(`${columns} scores a box for ${classes} classes`);
  const rows = reshape(builder, all, [1, count, columns]);
  // What comes before the classes is the background.
  const kept = slice(builder, rows, [0, 0, columns - classes], [1, count, classes], [1, 1, 1]);
  return [
    { title: 'detection_boxes', value: corners },
    { title: 'detection_scores', value: kept },
  ];
}

function at4([, row = 0, column = 0]: readonly number[]): number {
  return row * 4 + column;
}
