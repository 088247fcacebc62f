import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';

/**
 * What an inference process needs of an installed model. Written beside `model.onnx` as `manifest.json` when
 * a model is installed; the rest of a catalogue entry (source, licence) is for readers and stays in the catalogue.
 */

export const Label = Type.Object({
  /** Stable identity: a WordNet id such as `n02510455`, or `coco:1`. */
  id: Type.String(),
  /** Displayed title: `giant panda`. Unique within a model. */
  title: Type.String(),
});
export type Label = Static<typeof Label>;

/** How an image becomes the uint8 NHWC input `image` of the graph. */
export const InputGeometry = Type.Union([
  /** The whole image at exactly this size, aspect ratio not kept. */
  Type.Object({ fit: Type.Literal('squash'), width: Type.Integer(), height: Type.Integer() }),
  /** The whole image inside exactly this size, aspect ratio kept; the rest is filled with grey of `fill`, 0 to 255. */
  Type.Object({
    fit: Type.Literal('letterbox'),
    width: Type.Integer(),
    height: Type.Integer(),
    fill: Type.Integer({ minimum: 0, maximum: 255 }),
    /** `corner`: the image is in the upper left corner. */
    place: Type.Union([Type.Literal('centre'), Type.Literal('corner')]),
  }),
  /** Aspect ratio kept, longer side at most `longSide`, both sides rounded to `multiple`. */
  Type.Object({ fit: Type.Literal('inside'), longSide: Type.Integer(), multiple: Type.Integer() }),
  /** The centre square of `fraction` x the shorter side, at `side` x `side`. */
  Type.Object({ fit: Type.Literal('centre'), fraction: Type.Number(), side: Type.Integer() }),
  /** The task chooses the size; both sides are multiples of `multiple`. */
  Type.Object({ fit: Type.Literal('free'), multiple: Type.Integer() }),
  /** Strips of this height and of variable width, cut by the task. */
  Type.Object({ fit: Type.Literal('strip'), height: Type.Integer() }),
  /** Squares, cut by the task. */
  Type.Object({ fit: Type.Literal('square'), side: Type.Integer() }),
  /**
   * Squares aligned so that the five points of a face are at these positions, in pixels: eyes, nose, corners of the
   * mouth.
   */
  Type.Object({
    fit: Type.Literal('aligned'),
    side: Type.Integer(),
    points: Type.Array(Type.Tuple([Type.Number(), Type.Number()]), { minItems: 5, maxItems: 5 }),
  }),
]);
export type InputGeometry = Static<typeof InputGeometry>;

/**
 * A monotone map from a model's own scores to displayed scores, linear between the points; the first point is
 * [0, 0] and the last [1, 1]. The version is stored with every analysis.
 */
export const Calibration = Type.Object({
  version: Type.String(),
  points: Type.Array(Type.Tuple([Type.Number(), Type.Number()]), { minItems: 2 }),
});
export type Calibration = Static<typeof Calibration>;

/**
 * The graph's contract with the task that runs it.
 * - `classifier`: `image` uint8 [1,h,w,3] -> `probabilities` f32 [1,n], in the order of `labels`, and of some that were trained
 *   here `unlike_training` f32 [1], the probability that the image is like none of the training images.
 * - `detector`: `image` uint8 [1,h,w,3], `score_threshold` f32 [1], `iou_threshold` f32 [1] -> `boxes` f32 [m,4] as
 *   xMin, yMin, xMax, yMax relative to the input (0..1), `scores` f32 [m], `classes` int64 [m], an index into
 *   `labels`; suppressed per class, best first within a class.
 * - `embedder`: `image` uint8 [1,h,w,3] -> `embedding` f32 [1,d], of length 1.
 * - `text-detector`: `image` uint8 [1,h,w,3] -> `map` f32 [1,h,w], the probability that a pixel is inside text.
 * - `text-recogniser`: `image` uint8 [n,h,w,3], `allowed` f32 [alphabet + 1], 1 for the blank of CTC and each character that
 *   may be read, 0 for others -> `characters` int64 [n,t], an index into `alphabet` plus one, 0 for the blank, `scores`
 *   f32 [n,t], its probability, and where the alphabet has a space, `spaces` f32 [n,t], the probability of that. Some have
 *   `readable` f32 [n,t], the log odds that the script of the step is one which they read. Graphs of before have no `allowed`.
 * - `text-angle`: `image` uint8 [n,h,w,3] -> `upside_down` f32 [n], the probability that a strip is turned by 180 degrees.
 * - `face-detector`: `image` uint8 [1,h,w,3], `score_threshold`, `iou_threshold` -> `boxes`, `scores` as a detector's.
 * - `face-filter`: `image` uint8 [n,s,s,3] -> `probability` f32 [n] that a square shows a face, and `points` f32 [n,5,2], x and
 *   y as fractions of the square: eyes, nose, corners of the mouth, the viewer's left one first.
 * - `face-landmarks`: `image` uint8 [n,s,s,3] -> `points` f32 [n,68,2], x and y as fractions of the square, in the order
 * of iBUG 300-W.
 * - `face-embedder`: `image` uint8 [n,s,s,3], aligned -> `embedding` f32 [n,d], of length 1.
 * - `face-liveness`: `image` uint8 [n,s,s,3] -> `live` f32 [n], the probability that a square shows a living person.
 */
export const ModelFamily = Type.Union([
  Type.Literal('classifier'),
  Type.Literal('detector'),
  Type.Literal('embedder'),
  Type.Literal('text-detector'),
  Type.Literal('text-recogniser'),
  Type.Literal('text-angle'),
  Type.Literal('face-detector'),
  Type.Literal('face-filter'),
  Type.Literal('face-landmarks'),
  Type.Literal('face-embedder'),
  Type.Literal('face-liveness'),
]);
export type ModelFamily = Static<typeof ModelFamily>;

export const ModelManifest = Type.Object({
  id: Type.String(),
  version: Type.String(),
  title: Type.String(),
  family: ModelFamily,
  input: InputGeometry,
  labels: Type.Array(Label),
  /** Alphabet of a text recogniser, in the order of its outputs; each entry is a character or a short text. */
  alphabet: Type.Optional(Type.Array(Type.String())),
  calibration: Type.Optional(Calibration),
  /** Of a classifier that was calibrated where it was added: see `atTemperature`. */
  temperature: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
  /**
   * Of a classifier whose labels do not exclude each other, so that its probabilities do not sum to 1: where each label
   * counts as shown.
   */
  thresholds: Type.Optional(Type.Array(Type.Number())),
});
export type ModelManifest = Static<typeof ModelManifest>;

const compiledManifest = Compile(ModelManifest);
/** Compiled: manifests hold hundreds of labels, and every start reads them. */
export const isManifest = (content: unknown): content is ModelManifest => compiledManifest.Check(content);

/** Reference to an installed model, as sent to an inference process: a folder with `model.onnx` and `manifest.json`. */
export interface ModelRef {
  readonly id: string;
  /** Changes whenever the source bytes, the importer or the folded pre- and post-processing change. */
  readonly version: string;
  readonly dir: string;
}
