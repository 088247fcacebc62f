import { type Static, Type } from 'typebox';

/**
 * How the files of a source become one `model.onnx` that keeps the contract of its family (see
 * `catalog/manifest.ts`). A recipe belongs to a catalogue entry, so that a model is added as data. File names are those under
 * which the catalogue entry keeps its source files.
 */

/** Softmax over logits, without the classes before `firstClass` (such as a dummy row). */
const ClassifierHead = Type.Object({
  head: Type.Literal('classifier-logits'),
  firstClass: Type.Integer({ minimum: 0 }),
});

/** Scores [1,anchors,columns] and yxyx boxes [1,anchors,1,4]; `classIds` lists the columns, from 0, that are classes. */
const SsdHead = Type.Object({
  head: Type.Literal('ssd'),
  scores: Type.String(),
  boxes: Type.String(),
  classIds: Type.Array(Type.Integer()),
  /** Boxes kept a class, best first. */
  maxPerClass: Type.Integer({ minimum: 1 }),
});

/**
 * CenterNet (Zhou et al. 2019): heat map (0..1) and sizes (pixels); peaks of 3x3, box = (4cx - w0, 4cy - w1, 4cx + w2,
 * 4cy + w3). The graph then accepts images of any size that suits the strides of the net.
 */
const CenterNetHead = Type.Object({
  head: Type.Literal('centernet'),
  heatMap: Type.String(),
  sizes: Type.String(),
  maxPerClass: Type.Integer({ minimum: 1 }),
});

/** DB (Liao et al. 2020): a map of probabilities [1,1,h,w] that a pixel is inside text. */
const TextMapHead = Type.Object({ head: Type.Literal('text-map') });

/**
 * CTC (Graves et al. 2006): probabilities [n,t,characters] of every step; the best character of each is kept, and with
 * `space`, the class of the blank between words, its probability too.
 */
const CtcHead = Type.Object({
  head: Type.Literal('ctc'),
  space: Type.Optional(Type.Integer({ minimum: 0 })),
});

/** A file of the program, in `packages/engine/assets/`. */
const Asset = Type.Object({
  path: Type.String({ pattern: '^[a-z0-9-]+/[a-z0-9.-]+$' }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});

/**
 * Columns of a net's last layer that were trained here, `npm run bench -- letters`: logits are features * weights + biases.
 */
const TrainedColumns = Type.Object({
  /** f32, little-endian: [columns, features], then a bias for each. */
  asset: Asset,
  /** Names of the layer's constants in the net's file: f32 [features, columns] and [columns]. */
  weights: Type.String(),
  biases: Type.String(),
  /** The column of each row: one that the layer has is replaced, those beyond are appended. */
  columns: Type.Array(Type.Integer({ minimum: 0 }), { minItems: 1 }),
});
export type TrainedColumns = Static<typeof TrainedColumns>;

/** Whether a text recogniser knows the script of each step, from its features: trained here, `npm run bench -- known-scripts`. */
const Readability = Type.Object({
  /** f32, little-endian: a hidden layer [features, hidden], its biases, the weights [hidden] of the output, its bias. */
  asset: Asset,
  /** Name of the features [n,t,features] in the net's file. */
  features: Type.String(),
  hidden: Type.Integer({ minimum: 1 }),
});
export type Readability = Static<typeof Readability>;

/** One column of [n,columns], as an output [n] of that name. */
const ProbabilityHead = Type.Object({
  head: Type.Literal('probability'),
  column: Type.Integer({ minimum: 0 }),
  output: Type.Union([Type.Literal('upside_down'), Type.Literal('live')]),
  /** True where the net gives logits. */
  softmax: Type.Boolean(),
});

/** An anchor's centre is that of its cell, in pixels; `sizes` are sides in pixels, one square each. */
const AnchorGrid = Type.Object({
  stride: Type.Integer({ minimum: 1 }),
  sizes: Type.Array(Type.Number(), { minItems: 1 }),
});
export type AnchorGrid = Static<typeof AnchorGrid>;

/**
 * Anchored faces as in Ultra-Light-Fast-Generic-Face-Detector: probabilities [1,n,2], the second of a face, and
 * offsets [1,n,4] from anchors in the order of grid, y, x, size; `image` names the net's own input, whose size the
 * anchors follow.
 */
const AnchoredFacesHead = Type.Object({
  head: Type.Literal('anchored-faces'),
  scores: Type.String(),
  offsets: Type.String(),
  image: Type.String(),
  anchors: Type.Array(AnchorGrid, { minItems: 1 }),
  maxFaces: Type.Integer({ minimum: 1 }),
});

/** MTCNN's third net (Zhang et al. 2016): probabilities [n,2] and five points [n,10], all x, then all y. */
const FaceFilterHead = Type.Object({
  head: Type.Literal('face-filter'),
  probabilities: Type.String(),
  points: Type.String(),
});

/** Points [n,2 x count] as x, y, x, y, …, relative to the image. */
const LandmarksHead = Type.Object({
  head: Type.Literal('landmarks'),
  count: Type.Integer({ minimum: 1 }),
});

/** A vector [n,d], brought to length 1. */
const EmbeddingHead = Type.Object({ head: Type.Literal('embedding') });

const Head = Type.Union([
  ClassifierHead,
  SsdHead,
  CenterNetHead,
  TextMapHead,
  CtcHead,
  ProbabilityHead,
  AnchoredFacesHead,
  FaceFilterHead,
  LandmarksHead,
  EmbeddingHead,
]);
export type HeadSpec<Name extends Static<typeof Head>['head']> = Extract<Static<typeof Head>, { head: Name }>;

/** Preprocessing of an image's bytes: (channel - mean) / std, channels in this order, single numbers for all. */
export const ImageScale = Type.Object({
  channels: Type.Union([Type.Literal('rgb'), Type.Literal('bgr'), Type.Literal('grey')]),
  mean: Type.Array(Type.Number(), { minItems: 1, maxItems: 3 }),
  std: Type.Array(Type.Number({ exclusiveMinimum: 0 }), { minItems: 1, maxItems: 3 }),
  /** The net's first spatial axis is x: it was trained on transposed images. */
  transposed: Type.Optional(Type.Boolean()),
});
export type ImageScale = Static<typeof ImageScale>;

/** A side of a net's input, or `free` where it may change from run to run. */
const Side = Type.Union([Type.Integer({ minimum: 1 }), Type.Literal('free')]);

export const Recipe = Type.Union([
  Type.Object({
    importer: Type.Literal('tflite'),
    file: Type.String(),
    /** `int8` keeps the quantisation as QDQ; `float32` dequantises every weight. */
    weights: Type.Union([Type.Literal('int8'), Type.Literal('float32')]),
    /** For a net that is fed floats; it then takes any number of images at a time. */
    scale: Type.Optional(ImageScale),
    head: Head,
  }),
  Type.Object({
    importer: Type.Literal('tfjs'),
    /** `model.json` of a GraphModel. */
    file: Type.String(),
    /** Weight shards in the order of the weights manifest. */
    shards: Type.Array(Type.String()),
    /** Node at which the image enters, as f32 [1,h,w,3] of 0..255. */
    input: Type.String(),
    head: Head,
  }),
  Type.Object({
    importer: Type.Literal('onnx'),
    file: Type.String(),
    /** The net's own input: images as floats [n,channels,h,w]. */
    input: Type.String(),
    /** Number of images, height, width; those that the file declares are ignored. */
    dims: Type.Tuple([Side, Side, Side]),
    scale: ImageScale,
    trainedColumns: Type.Optional(TrainedColumns),
    readability: Type.Optional(Readability),
    /**
     * It has a feature pyramid, and maps that are added have the same sides: no
     * single pixel is broadcast over a map. It is run faster then (`rewrites/`).
     */
    pyramid: Type.Optional(Type.Literal(true)),
    head: Head,
  }),
  Type.Object({
    importer: Type.Literal('weights'),
    /** A weights manifest of TF.js; the topology is not in the files, but here, under this name. */
    file: Type.String(),
    shards: Type.Array(Type.String()),
    net: Type.Literal('dlib-face-resnet'),
    scale: ImageScale,
    head: Head,
  }),
]);
export type Recipe = Static<typeof Recipe>;
