import { type Static, Type } from 'typebox';
import { maxLabelLength, maxLabels } from './limits.js';

/**
 * Options of the user for a model file. Everything else is read from the file, and what the file does not declare is
 * assumed by its kind; the record of the import says which.
 */

const strict = { additionalProperties: false };
const Side = Type.Integer({ minimum: 8, maximum: 4096 });
const PerChannel = Type.Array(Type.Number(), { minItems: 1, maxItems: 3 });

export const UploadFamily = Type.Union([
  Type.Literal('classifier'),
  Type.Literal('detector'),
  Type.Literal('embedder'),
]);
export type UploadFamily = Static<typeof UploadFamily>;

/**
 * How a detector gives its boxes.
 * - `yolov5`: [1,n,5+c], cx cy w h objectness classes; `yolov8` (also YOLO11): [1,4+c,n] without objectness.
 * - `yolox`: [1,n,5+c] relative to grids of stride 8, 16, 32, or decoded.
 * - `detr`: boxes [1,n,4] beside scores [1,n,c].
 * - `ssd`: boxes [1,n,4], scores [1,n] and classes [1,n], overlaps suppressed already.
 * - `rows`: [1,n,6], xMin yMin xMax yMax score class, overlaps suppressed already.
 */
export const DetectorLayout = Type.Union([
  Type.Literal('yolov5'),
  Type.Literal('yolov8'),
  Type.Literal('yolox'),
  Type.Literal('detr'),
  Type.Literal('ssd'),
  Type.Literal('rows'),
]);
export type DetectorLayout = Static<typeof DetectorLayout>;

export const BoxFormat = Type.Union([Type.Literal('cxcywh'), Type.Literal('xyxy'), Type.Literal('yxyx')]);
export type BoxFormat = Static<typeof BoxFormat>;

/**
 * The function that maps the net's outputs to scores between 0 and 1. `softmax-last`: the last class is "nothing" and is
 * left out.
 */
export const Activation = Type.Union([
  Type.Literal('none'),
  Type.Literal('sigmoid'),
  Type.Literal('softmax'),
  Type.Literal('softmax-last'),
]);
export type Activation = Static<typeof Activation>;

const InputOptions = Type.Object(
  {
    /** In pixels. */
    width: Type.Optional(Side),
    height: Type.Optional(Side),
    /** `centre`: the square in the middle; `squash`: all of it, aspect ratio not kept; `letterbox`: all of it on grey. */
    fit: Type.Optional(
      Type.Union([Type.Literal('squash'), Type.Literal('centre'), Type.Literal('letterbox')]),
    ),
    channels: Type.Optional(Type.Union([Type.Literal('rgb'), Type.Literal('bgr'), Type.Literal('grey')])),
    /** The net is fed (byte - mean) / std: one number, or one a channel. */
    mean: Type.Optional(PerChannel),
    std: Type.Optional(Type.Array(Type.Number({ exclusiveMinimum: 0 }), { minItems: 1, maxItems: 3 })),
  },
  strict,
);

export const ImportOptions = Type.Object(
  {
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    family: Type.Optional(UploadFamily),
    /** Titles of the classes in the order of the net's outputs. */
    labels: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: maxLabelLength }), {
        minItems: 1,
        maxItems: maxLabels,
      }),
    ),
    layout: Type.Optional(DetectorLayout),
    input: Type.Optional(InputOptions),
    boxes: Type.Optional(
      Type.Object(
        {
          format: Type.Optional(BoxFormat),
          unit: Type.Optional(Type.Union([Type.Literal('pixels'), Type.Literal('relative')])),
        },
        strict,
      ),
    ),
    activation: Type.Optional(Activation),
    /** Number of the first output, or the first class number, that stands for a label; what comes before is background. */
    firstClass: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
    /** The model's own score of the best working point; it maps to 0.4, as for every detector. */
    threshold: Type.Optional(Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 })),
  },
  strict,
);
export type ImportOptions = Static<typeof ImportOptions>;
