import { type Static, Type } from 'typebox';

/**
 * How the files of a source become one `model.onnx` that keeps the contract of its family (see
 * `catalog/manifest.ts`). Part of a catalogue entry, so that a model is added as data. File names are those under
 * which the catalogue entry keeps its source files.
 */

/** Softmax over logits, with the classes before `firstClass` (a dummy row, say) left out. */
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
 * 4cy + w3). The graph then takes pictures of any size that suits the strides of the net.
 */
const CenterNetHead = Type.Object({
  head: Type.Literal('centernet'),
  heatMap: Type.String(),
  sizes: Type.String(),
  maxPerClass: Type.Integer({ minimum: 1 }),
});

const Head = Type.Union([ClassifierHead, SsdHead, CenterNetHead]);
export type HeadSpec<Name extends Static<typeof Head>['head']> = Extract<Static<typeof Head>, { head: Name }>;

export const Recipe = Type.Union([
  Type.Object({
    importer: Type.Literal('tflite'),
    file: Type.String(),
    /** `int8` keeps the quantisation as QDQ; `float32` dequantises every weight. */
    weights: Type.Union([Type.Literal('int8'), Type.Literal('float32')]),
    head: Head,
  }),
  Type.Object({
    importer: Type.Literal('tfjs'),
    /** `model.json` of a GraphModel. */
    file: Type.String(),
    /** Weight shards in the order of the weights manifest. */
    shards: Type.Array(Type.String()),
    /** Node at which the picture enters, as f32 [1,h,w,3] of 0..255. */
    input: Type.String(),
    head: Head,
  }),
]);
export type Recipe = Static<typeof Recipe>;
