/**
 * An ONNX model as messages, in the names of `onnx.proto3` (see `descriptor.ts`). int64 is bigint throughout, so that
 * nothing is rounded. Absent fields are undefined; repeated ones may be absent or empty alike.
 */
export interface Model {
  readonly irVersion?: bigint;
  readonly producerName?: string;
  readonly producerVersion?: string;
  readonly domain?: string;
  readonly modelVersion?: bigint;
  readonly docString?: string;
  readonly graph: Graph;
  readonly opsetImport?: readonly { readonly domain?: string; readonly version?: bigint }[];
  readonly metadataProps?: readonly Entry[];
  readonly functions?: readonly FunctionProto[];
}

export interface Entry {
  readonly key?: string;
  readonly value?: string;
}

export interface FunctionProto {
  readonly name?: string;
  readonly domain?: string;
  readonly input?: readonly string[];
  readonly output?: readonly string[];
  readonly attribute?: readonly string[];
  readonly attributeProto?: readonly Attribute[];
  readonly node?: readonly Node[];
  readonly opsetImport?: readonly { readonly domain?: string; readonly version?: bigint }[];
}

export interface Graph {
  readonly name?: string;
  readonly docString?: string;
  readonly node?: readonly Node[];
  readonly initializer?: readonly TensorProto[];
  readonly input?: readonly ValueInfo[];
  readonly output?: readonly ValueInfo[];
  readonly valueInfo?: readonly ValueInfo[];
}

export interface Node {
  readonly input?: readonly string[];
  readonly output?: readonly string[];
  readonly name?: string;
  readonly opType?: string;
  readonly domain?: string;
  readonly docString?: string;
  readonly attribute?: readonly Attribute[];
}

/** Which field of an attribute counts: `AttributeProto.AttributeType`. */
export const AttributeType = {
  float: 1,
  int: 2,
  string: 3,
  tensor: 4,
  graph: 5,
  floats: 6,
  ints: 7,
  strings: 8,
} as const;

export interface Attribute {
  readonly name?: string;
  readonly type?: number;
  readonly f?: number;
  readonly i?: bigint;
  readonly s?: Uint8Array;
  readonly t?: TensorProto;
  readonly g?: Graph;
  readonly floats?: readonly number[];
  readonly ints?: readonly bigint[];
  readonly strings?: readonly Uint8Array[];
  readonly tensors?: readonly TensorProto[];
  readonly graphs?: readonly Graph[];
  readonly refAttrName?: string;
}

export interface TensorProto {
  readonly name?: string;
  readonly dims?: readonly bigint[];
  readonly dataType?: number;
  /** Little-endian elements in row-major order; the other data fields are the older ways to say the same. */
  readonly rawData?: Uint8Array;
  readonly floatData?: readonly number[];
  readonly int32Data?: readonly number[];
  readonly int64Data?: readonly bigint[];
  readonly doubleData?: readonly number[];
  readonly uint64Data?: readonly bigint[];
  readonly stringData?: readonly Uint8Array[];
  readonly externalData?: readonly Entry[];
  readonly dataLocation?: number;
}

export interface ValueInfo {
  readonly name?: string;
  readonly type?: TypeProto;
}

export interface TypeProto {
  readonly tensorType?: {
    readonly elemType?: number;
    readonly shape?: { readonly dim?: readonly Dimension[] };
  };
  readonly sequenceType?: { readonly elemType?: TypeProto };
  readonly optionalType?: { readonly elemType?: TypeProto };
  readonly denotation?: string;
}

interface Dimension {
  readonly dimValue?: bigint;
  readonly dimParam?: string;
  readonly denotation?: string;
}
