import { type Attribute, AttributeType, type Node } from '../proto/model.js';

/** The operator of a node, where it is one of ONNX itself; '' otherwise. */
export function opOf(node: Node | undefined): string {
  const { opType = '', domain = '' } = node ?? {};
  return domain === '' || domain === 'ai.onnx' ? opType : '';
}

export function integerAttribute(node: Node, name: string, absent: number): number {
  const value = attributeOf(node, name)?.i;
  return value === undefined ? absent : Number(value);
}

export function integersAttribute(node: Node, name: string): readonly number[] | undefined {
  return attributeOf(node, name)?.ints?.map(Number);
}

export function floatAttribute(node: Node, name: string, absent: number): number {
  return attributeOf(node, name)?.f ?? absent;
}

export function stringAttribute(node: Node, name: string): string | undefined {
  const value = attributeOf(node, name)?.s;
  return value && Buffer.from(value).toString('utf8');
}

export function integer(name: string, value: number): Attribute {
  return { name, type: AttributeType.int, i: BigInt(value) };
}

export function integers(name: string, values: readonly number[]): Attribute {
  return { name, type: AttributeType.ints, ints: values.map(BigInt) };
}

export function float(name: string, value: number): Attribute {
  return { name, type: AttributeType.float, f: value };
}

export function string(name: string, value: string): Attribute {
  return { name, type: AttributeType.string, s: Buffer.from(value) };
}

/** A node with one output, which it is named after. */
export function nodeOf(
  opType: string,
  input: readonly string[],
  output: string,
  attribute: readonly Attribute[] = [],
): Node {
  return { opType, name: `${output}/${opType}`, input, output: [output], attribute };
}

/** Whether a convolution or pool takes its map as it is, without a border around it. */
export function isUnpadded(node: Node): boolean {
  const padding = stringAttribute(node, 'auto_pad') ?? 'NOTSET';
  const pads = integersAttribute(node, 'pads') ?? [];
  return padding === 'VALID' || (padding === 'NOTSET' && pads.every((pad) => pad === 0));
}

function attributeOf({ attribute = [] }: Node, wanted: string): Attribute | undefined {
  return attribute.find(({ name }) => name === wanted);
}
