import type { Attributes, AttributeValue } from '../../graph/graph-builder.js';
import { ImportError } from '../../import-error.js';
import { type Attribute, AttributeType, type Node } from '../../proto/model.js';

/** A node's attributes except tensors, which `tensorAttribute` returns. */
export function readAttributes(node: Node): Attributes {
  const plain = node.attribute?.filter(({ type }) => type !== AttributeType.tensor) ?? [];
  return Object.fromEntries(plain.map((attribute) => [attribute.name ?? '', readValue(attribute)]));
}

/** The attribute of that name, where it is a tensor. */
export function tensorAttribute(node: Node, name: string) {
  return node.attribute?.find((attribute) => attribute.name === name)?.t;
}

/** A list of whole numbers; undefined when it is absent. */
export function integersOf(attributes: Attributes, name: string): readonly number[] | undefined {
  const value = attributes[name];
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((item) => typeof item === 'number')) return value;
  throw new ImportError(`its attribute ${name} must be a list of whole numbers`);
}

export function integerOf(attributes: Attributes, name: string, absent: number): number {
  const value = attributes[name] ?? absent;
  if (typeof value === 'number') return value;
  throw new ImportError(`its attribute ${name} must be a whole number`);
}

export function floatOf(attributes: Attributes, name: string, absent: number): number {
  const value = attributes[name];
  if (value === undefined) return absent;
  if (typeof value === 'object' && 'float' in value) return value.float;
  throw new ImportError(`its attribute ${name} must be a number`);
}

function readValue({ name, type, i, f, s, ints, floats }: Attribute): AttributeValue {
  switch (type) {
    case AttributeType.int:
      return safeNumber(i ?? 0n);
    case AttributeType.float:
      return { float: f ?? 0 };
    case AttributeType.string:
      return Buffer.from(s ?? []).toString('utf8');
    case AttributeType.ints:
      return (ints ?? []).map(safeNumber);
    case AttributeType.floats:
      return { floats: floats ?? [] };
    default:
      throw new ImportError(`its attribute ${name} is of a kind that is not supported (${type})`);
  }
}

/** Exporters write the greatest int64 for "to the end"; the greatest exact number says the same. */
function safeNumber(integer: bigint): number {
  const number = Number(integer);
  return Math.min(Math.max(number, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
}
