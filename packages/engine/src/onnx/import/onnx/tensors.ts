import { type ElementType, elementTypeCodes, type TensorData } from '../../graph/element-type.js';
import type { GraphBuilder } from '../../graph/graph-builder.js';
import type { Value } from '../../graph/value.js';
import { ImportError } from '../../import-error.js';
import type { TensorProto } from '../../proto/model.js';

/** A constant of an ONNX file. */
export function readTensor(builder: GraphBuilder, tensor: TensorProto, name: string): Value {
  const type = elementTypeOf(tensor.dataType ?? 0, name);
  if (tensor.dataLocation === 1 || (tensor.externalData?.length ?? 0) > 0) {
    throw new ImportError(
      `the weights ${name} lie in another file; save the model as one file, without external data`,
    );
  }
  return builder.constant(type, (tensor.dims ?? []).map(Number), dataOf(tensor, type, name), name);
}

export function elementTypeOf(code: number, name: string): ElementType {
  const type = Object.entries(elementTypeCodes).find(([, known]) => known === code)?.[0];
  if (isElementType(type)) return type;
  throw new ImportError(
    `${name} has element type ${code}, which is not supported; export the model as float32`,
  );
}

function isElementType(type: string | undefined): type is ElementType {
  return type !== undefined && type in elementTypeCodes;
}

/** A copy, so that a typed array may start at any byte of the file. */
function dataOf(tensor: TensorProto, type: ElementType, name: string): TensorData {
  const { rawData, floatData, int32Data, int64Data } = tensor;
  if (rawData !== undefined && rawData.length > 0) {
    const bytes = type === 'int64' ? 8 : type === 'float32' || type === 'int32' ? 4 : 1;
    if (rawData.length % bytes !== 0) throw new ImportError(`the weights ${name} are cut short`);
    return arrayOf(type, new Uint8Array(rawData).buffer);
  }
  if (type === 'float32') return Float32Array.from(floatData ?? []);
  if (type === 'int64') return BigInt64Array.from(int64Data ?? []);
  if (type === 'int32') return Int32Array.from(int32Data ?? []);
  if (type === 'int8') return Int8Array.from(int32Data ?? []);
  return Uint8Array.from(int32Data ?? []);
}

function arrayOf(type: ElementType, buffer: ArrayBuffer): TensorData {
  switch (type) {
    case 'float32':
      return new Float32Array(buffer);
    case 'int64':
      return new BigInt64Array(buffer);
    case 'int32':
      return new Int32Array(buffer);
    case 'int8':
      return new Int8Array(buffer);
    case 'uint8':
    case 'bool':
      return new Uint8Array(buffer);
  }
}
