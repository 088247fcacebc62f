import { type Static, Type } from 'typebox';
import { ImageScale } from '../onnx/recipe.js';
import { Activation, BoxFormat } from './import-options.js';

/** All decisions for the wrapped graph: given, found or assumed. */

const Boxes = Type.Object({
  format: BoxFormat,
  unit: Type.Union([Type.Literal('pixels'), Type.Literal('relative')]),
  /** Offsets within grids of these strides, in pixels, sides as logarithms (YOLOX); absent where decoded. */
  strides: Type.Optional(Type.Array(Type.Integer())),
});
export type Boxes = Static<typeof Boxes>;

/** Columns of a finished box. */
const RowColumns = Type.Object({
  /** The first of four. */
  box: Type.Integer(),
  score: Type.Integer(),
  class: Type.Integer(),
  /** In radians. */
  angle: Type.Optional(Type.Integer()),
});
export type RowColumns = Static<typeof RowColumns>;
/** Rows of six numbers, the usual ones. */
export const plainRow: RowColumns = { box: 0, score: 4, class: 5 };

const HeadPlan = Type.Union([
  Type.Object({
    head: Type.Literal('classifier'),
    output: Type.String(),
    activation: Activation,
    firstClass: Type.Integer(),
    /** The net gives one number, the probability of the second of two classes. */
    single: Type.Boolean(),
  }),
  Type.Object({ head: Type.Literal('embedder'), output: Type.String() }),
  /** One output: four numbers of the box, perhaps its objectness, then a score a class; more columns are not read. */
  Type.Object({
    head: Type.Literal('columns'),
    output: Type.String(),
    /** True for [1,columns,n], false for [1,n,columns]. */
    columnsFirst: Type.Boolean(),
    objectness: Type.Boolean(),
    boxes: Boxes,
    activation: Activation,
    /** Of the angle in radians by which the box is turned. */
    angleColumn: Type.Optional(Type.Integer()),
  }),
  /** Boxes [1,n,4] and scores [1,n,columns]; `columns` are those that have a label. */
  Type.Object({
    head: Type.Literal('pair'),
    boxesOutput: Type.String(),
    scoresOutput: Type.String(),
    boxes: Boxes,
    activation: Activation,
    columns: Type.Array(Type.Integer()),
  }),
  /** Boxes [1,n,4], scores [1,n], class numbers [1,n], the first label's being `firstClass`. */
  Type.Object({
    head: Type.Literal('list'),
    boxesOutput: Type.String(),
    scoresOutput: Type.String(),
    classesOutput: Type.String(),
    boxes: Boxes,
    firstClass: Type.Integer(),
  }),
  /** Corners and score in rows of five, and class numbers [1,n] beside them. */
  Type.Object({
    head: Type.Literal('scored-boxes'),
    output: Type.String(),
    classesOutput: Type.String(),
    boxes: Boxes,
    firstClass: Type.Integer(),
  }),
  /** [1,n,width] or [n,width]: box, score, class number. */
  Type.Object({
    head: Type.Literal('rows'),
    output: Type.String(),
    boxes: Boxes,
    firstClass: Type.Integer(),
    /** 6 in older records. */
    width: Type.Optional(Type.Integer()),
    columns: Type.Optional(RowColumns),
  }),
]);
type HeadPlan = Static<typeof HeadPlan>;
export type HeadPlanOf<Name extends HeadPlan['head']> = Extract<HeadPlan, { head: Name }>;

export const InputPlan = Type.Object({
  width: Type.Integer(),
  height: Type.Integer(),
  fit: Type.Union([Type.Literal('squash'), Type.Literal('centre'), Type.Literal('letterbox')]),
  /** Of the shorter side, for `centre`. */
  fraction: Type.Number(),
  /** Position of a letterboxed image. */
  place: Type.Union([Type.Literal('centre'), Type.Literal('corner')]),
  scale: ImageScale,
});
export type InputPlan = Static<typeof InputPlan>;

export const UploadPlan = Type.Object({
  input: InputPlan,
  head: HeadPlan,
  labels: Type.Array(Type.String()),
});
export type UploadPlan = Static<typeof UploadPlan>;
