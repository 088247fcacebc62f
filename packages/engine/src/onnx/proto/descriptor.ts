import protobuf from 'protobufjs/light.js';

/**
 * The part of ONNX's messages that a model for inference uses. Names and numbers are those of `onnx.proto3`, ONNX 1.14
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

/** The reflected `ModelProto`, built from the table above. */
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
