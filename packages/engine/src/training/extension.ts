import { type Attribute, AttributeType, type Node, type TensorProto } from '../onnx/proto/model.js';

/** `TensorProto.DataType` */
export const float32 = 1;

/** Nodes and constants that extend a backbone, under names that it does not use. */
export interface Extension {
  readonly nodes: readonly Node[];
  readonly constants: readonly TensorProto[];
}

/** A node of one output, named after it. */
export function step(
  op: string,
  inputs: readonly string[],
  output: string,
  attribute: readonly Attribute[] = [],
): Node {
  return { opType: op, name: `${output}/node`, input: inputs, output: [output], attribute };
}

export function int(name: string, value: number): Attribute {
  return { name, type: AttributeType.int, i: BigInt(value) };
}

export function ints(name: string, values: readonly number[]): Attribute {
  return { name, type: AttributeType.ints, ints: values.map(BigInt) };
}

export function floatConstant(name: string, dims: readonly number[], data: Float32Array): TensorProto {
  const rawData = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return { name, dims: dims.map(BigInt), dataType: float32, rawData };
}
