import protobuf from 'protobufjs/light.js';

/**
 * The ONNX messages that a model for inference uses. Names and numbers are those of `onnx.proto3`, ONNX 1.14
 * (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto3).
 */
type FieldRow = readonly [name: string, type: string, id: number, rule?: 'repeated'];

const messages: Readonly<Record<string, readonly FieldRow[]>> = {
  ModelProto: [
    ['irVersion', 'int64', 1],
    ['producerName', 'string', 2],
    ['producerVersion', 'string', 3],
    ['domain', 'string', 4],
    ['modelVersion', 'int64', 5],
    ['docString', 'string', 6],
    ['graph', 'GraphProto', 7],
    ['opsetImport', 'OperatorSetIdProto', 8, 'repeated'],
    ['metadataProps', 'StringStringEntryProto', 14, 'repeated'],
    ['functions', 'FunctionProto', 25, 'repeated'],
  ],
  OperatorSetIdProto: [
    ['domain', 'string', 1],
    ['version', 'int64', 2],
  ],
  StringStringEntryProto: [
    ['key', 'string', 1],
    ['value', 'string', 2],
  ],
  FunctionProto: [
    ['name', 'string', 1],
    ['input', 'string', 4, 'repeated'],
    ['output', 'string', 5, 'repeated'],
    ['attribute', 'string', 6, 'repeated'],
    ['node', 'NodeProto', 7, 'repeated'],
    ['opsetImport', 'OperatorSetIdProto', 9, 'repeated'],
    ['domain', 'string', 10],
    ['attributeProto', 'AttributeProto', 11, 'repeated'],
  ],
  GraphProto: [
    ['node', 'NodeProto', 1, 'repeated'],
    ['name', 'string', 2],
    ['initializer', 'TensorProto', 5, 'repeated'],
    ['docString', 'string', 10],
    ['input', 'ValueInfoProto', 11, 'repeated'],
    ['output', 'ValueInfoProto', 12, 'repeated'],
    ['valueInfo', 'ValueInfoProto', 13, 'repeated'],
  ],
  NodeProto: [
    ['input', 'string', 1, 'repeated'],
    ['output', 'string', 2, 'repeated'],
    ['name', 'string', 3],
    ['opType', 'string', 4],
    ['attribute', 'AttributeProto', 5, 'repeated'],
    ['docString', 'string', 6],
    ['domain', 'string', 7],
  ],
  AttributeProto: [
    ['name', 'string', 1],
    ['f', 'float', 2],
    ['i', 'int64', 3],
    ['s', 'bytes', 4],
    ['t', 'TensorProto', 5],
    ['g', 'GraphProto', 6],
    ['floats', 'float', 7, 'repeated'],
    ['ints', 'int64', 8, 'repeated'],
    ['strings', 'bytes', 9, 'repeated'],
    ['tensors', 'TensorProto', 10, 'repeated'],
    ['graphs', 'GraphProto', 11, 'repeated'],
    ['type', 'int32', 20],
    ['refAttrName', 'string', 21],
  ],
  TensorProto: [
    ['dims', 'int64', 1, 'repeated'],
    ['dataType', 'int32', 2],
    ['floatData', 'float', 4, 'repeated'],
    ['int32Data', 'int32', 5, 'repeated'],
    ['stringData', 'bytes', 6, 'repeated'],
    ['int64Data', 'int64', 7, 'repeated'],
    ['name', 'string', 8],
    ['rawData', 'bytes', 9],
    ['doubleData', 'double', 10, 'repeated'],
    ['uint64Data', 'uint64', 11, 'repeated'],
    ['externalData', 'StringStringEntryProto', 13, 'repeated'],
    ['dataLocation', 'int32', 14],
  ],
  ValueInfoProto: [
    ['name', 'string', 1],
    ['type', 'TypeProto', 2],
  ],
  TypeProto: [
    ['tensorType', 'TensorTypeProto', 1],
    ['sequenceType', 'ElementTypeProto', 4],
    ['denotation', 'string', 6],
    ['optionalType', 'ElementTypeProto', 9],
  ],
  ElementTypeProto: [['elemType', 'TypeProto', 1]],
  TensorTypeProto: [
    ['elemType', 'int32', 1],
    ['shape', 'TensorShapeProto', 2],
  ],
  TensorShapeProto: [['dim', 'DimensionProto', 1, 'repeated']],
  DimensionProto: [
    ['dimValue', 'int64', 1],
    ['dimParam', 'string', 2],
    ['denotation', 'string', 3],
  ],
};

/**
 * The rest of what `onnx.proto3` of ONNX 1.19 defines. No model for inference needs it and it is dropped when one is read, but
 * a scan of a file has to know these fields: a tensor in them could name another file.
 */
const unused: Readonly<Record<string, readonly FieldRow[]>> = {
  ModelProto: [
    ['trainingInfo', 'TrainingInfoProto', 20, 'repeated'],
    ['configuration', 'DeviceConfigurationProto', 26, 'repeated'],
  ],
  FunctionProto: [
    ['docString', 'string', 8],
    ['valueInfo', 'ValueInfoProto', 12, 'repeated'],
    ['overload', 'string', 13],
    ['metadataProps', 'StringStringEntryProto', 14, 'repeated'],
  ],
  GraphProto: [
    ['quantizationAnnotation', 'TensorAnnotation', 14, 'repeated'],
    ['sparseInitializer', 'SparseTensorProto', 15, 'repeated'],
    ['metadataProps', 'StringStringEntryProto', 16, 'repeated'],
  ],
  NodeProto: [
    ['overload', 'string', 8],
    ['metadataProps', 'StringStringEntryProto', 9, 'repeated'],
    ['deviceConfigurations', 'NodeDeviceConfigurationProto', 10, 'repeated'],
  ],
  AttributeProto: [
    ['docString', 'string', 13],
    ['tp', 'TypeProto', 14],
    ['typeProtos', 'TypeProto', 15, 'repeated'],
    ['sparseTensor', 'SparseTensorProto', 22],
    ['sparseTensors', 'SparseTensorProto', 23, 'repeated'],
  ],
  TensorProto: [
    ['segment', 'TensorSegment', 3],
    ['docString', 'string', 12],
    ['metadataProps', 'StringStringEntryProto', 16, 'repeated'],
  ],
  ValueInfoProto: [
    ['docString', 'string', 3],
    ['metadataProps', 'StringStringEntryProto', 4, 'repeated'],
  ],
  TypeProto: [
    ['mapType', 'MapTypeProto', 5],
    ['opaqueType', 'OpaqueTypeProto', 7],
    ['sparseTensorType', 'TensorTypeProto', 8],
  ],
  TrainingInfoProto: [
    ['initialization', 'GraphProto', 1],
    ['algorithm', 'GraphProto', 2],
    ['initializationBinding', 'StringStringEntryProto', 3, 'repeated'],
    ['updateBinding', 'StringStringEntryProto', 4, 'repeated'],
  ],
  DeviceConfigurationProto: [
    ['name', 'string', 1],
    ['numDevices', 'int32', 2],
    ['device', 'string', 3, 'repeated'],
  ],
  NodeDeviceConfigurationProto: [
    ['configurationId', 'string', 1],
    ['shardingSpec', 'ShardingSpecProto', 2, 'repeated'],
    ['pipelineStage', 'int32', 3],
  ],
  ShardingSpecProto: [
    ['tensorName', 'string', 1],
    ['device', 'int64', 2, 'repeated'],
    ['indexToDeviceGroupMap', 'IntIntListEntryProto', 3, 'repeated'],
    ['shardedDim', 'ShardedDimProto', 4, 'repeated'],
  ],
  IntIntListEntryProto: [
    ['key', 'int64', 1],
    ['value', 'int64', 2, 'repeated'],
  ],
  ShardedDimProto: [
    ['axis', 'int64', 1],
    ['simpleSharding', 'SimpleShardedDimProto', 2, 'repeated'],
  ],
  SimpleShardedDimProto: [
    ['dimValue', 'int64', 1],
    ['dimParam', 'string', 2],
    ['numShards', 'int64', 3],
  ],
  TensorAnnotation: [
    ['tensorName', 'string', 1],
    ['quantParameterTensorNames', 'StringStringEntryProto', 2, 'repeated'],
  ],
  SparseTensorProto: [
    ['values', 'TensorProto', 1],
    ['indices', 'TensorProto', 2],
    ['dims', 'int64', 3, 'repeated'],
  ],
  TensorSegment: [
    ['begin', 'int64', 1],
    ['end', 'int64', 2],
  ],
  MapTypeProto: [
    ['keyType', 'int32', 1],
    ['valueType', 'TypeProto', 2],
  ],
  OpaqueTypeProto: [
    ['domain', 'string', 1],
    ['name', 'string', 2],
  ],
};

/** A message as it is on the wire: its fields by number. */
export interface WireMessage {
  readonly name: string;
  readonly fields: ReadonlyMap<number, WireField>;
}

interface WireField {
  readonly name: string;
  /** Of protobuf, such as `int64` or `bytes`; or the name of a message, which `wireMessages` has. */
  readonly type: string;
}

/** Every message of ONNX with every field, by name. */
export const wireMessages: ReadonlyMap<string, WireMessage> = new Map(
  [...new Set([...Object.keys(messages), ...Object.keys(unused)])].map((name) => {
    const rows = [...(messages[name] ?? []), ...(unused[name] ?? [])];
    const fields = new Map(rows.map(([field, type, id]) => [id, { name: field, type }]));
    return [name, { name, fields }];
  }),
);

/** The reflected `ModelProto`, built from the first of the tables above. */
export function describeModelProto(): protobuf.Type {
  const root = new protobuf.Root();
  for (const [name, fields] of Object.entries(messages)) {
    const type = new protobuf.Type(name);
    for (const [field, fieldType, id, rule] of fields)
      type.add(new protobuf.Field(field, id, fieldType, rule));
    root.add(type);
  }
  return root.lookupType('ModelProto');
}
