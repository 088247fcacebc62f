import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { ImportError } from '../../import-error.js';

/** `model.json` of a TF.js GraphModel, as far as it is read here; the rest is ignored. */

const Whole = Type.Union([Type.String({ pattern: '^-?[0-9]{1,19}$' }), Type.Integer()]);
/** Text, as base64 or as a list of its bytes: both are written by TF.js converters. */
const Text = Type.Union([Type.String(), Type.Array(Type.Integer({ minimum: 0, maximum: 255 }))]);
/** A data type as its enum number, its name (`DT_FLOAT`), or its name in base64. */
const DataType = Type.Union([Type.Integer(), Type.String()]);
const Shape = Type.Object({
  dim: Type.Optional(Type.Array(Type.Object({ size: Type.Optional(Whole) }))),
  unknownRank: Type.Optional(Type.Boolean()),
});
const InlineTensor = Type.Object({
  dtype: Type.Optional(DataType),
  tensorShape: Type.Optional(Shape),
  floatVal: Type.Optional(Type.Array(Type.Number())),
  intVal: Type.Optional(Type.Array(Type.Number())),
  int64Val: Type.Optional(Type.Array(Whole)),
  boolVal: Type.Optional(Type.Array(Type.Boolean())),
});
const Attribute = Type.Object({
  i: Type.Optional(Whole),
  f: Type.Optional(Type.Number()),
  b: Type.Optional(Type.Boolean()),
  s: Type.Optional(Text),
  type: Type.Optional(DataType),
  shape: Type.Optional(Shape),
  tensor: Type.Optional(InlineTensor),
  list: Type.Optional(
    Type.Object({ i: Type.Optional(Type.Array(Whole)), s: Type.Optional(Type.Array(Text)) }),
  ),
});
export type Attribute = Static<typeof Attribute>;

const GraphNode = Type.Object({
  name: Type.String(),
  op: Type.String(),
  input: Type.Optional(Type.Array(Type.String())),
  attr: Type.Optional(Type.Record(Type.String(), Attribute)),
});
export type GraphNode = Static<typeof GraphNode>;

export const WeightEntry = Type.Object({
  name: Type.String(),
  shape: Type.Array(Type.Integer({ minimum: 0, maximum: 2 ** 31 })),
  dtype: Type.String(),
  quantization: Type.Optional(
    Type.Object({
      dtype: Type.String(),
      scale: Type.Optional(Type.Number()),
      min: Type.Optional(Type.Number()),
    }),
  ),
});
export type WeightEntry = Static<typeof WeightEntry>;

export const GraphModel = Type.Object({
  modelTopology: Type.Object({ node: Type.Array(GraphNode) }),
  weightsManifest: Type.Array(Type.Object({ weights: Type.Array(WeightEntry) })),
});
export type GraphModel = Static<typeof GraphModel>;

/** @throws ImportError when the bytes are not the `model.json` of a GraphModel. */
export function readGraphModel(bytes: Uint8Array): GraphModel {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  } catch (error) {
    throw new ImportError('model.json is not JSON', { cause: error });
  }
  if (Value.Check(GraphModel, json)) return json;
  const [first] = Value.Errors(GraphModel, json);
  const location = first === undefined ? '' : `: ${first.instancePath || '/'} ${first.message}`;
  throw new ImportError(`model.json is not that of a TF.js GraphModel (a layers model, perhaps)${location}`);
}
