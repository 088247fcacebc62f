import type { ElementType } from '../../graph/element-type.js';
import { ImportError } from '../../import-error.js';
import type { Attribute, GraphNode } from './graph-model.js';

type Text = NonNullable<Attribute['s']>;
type DataType = NonNullable<Attribute['type']>;

/** Reads a node's attributes, which TF.js converters have written in several ways over the years. */
export class NodeAttributes {
  constructor(readonly node: GraphNode) {}

  integer(name: string, absent: number): number {
    const value = this.node.attr?.[name]?.i;
    return value === undefined ? absent : Number(value);
  }

  /** A list of whole numbers; empty when absent. */
  integers(name: string): number[] {
    return (this.node.attr?.[name]?.list?.i ?? []).map(Number);
  }

  float(name: string, absent: number): number {
    return this.node.attr?.[name]?.f ?? absent;
  }

  flag(name: string, absent: boolean): boolean {
    return this.node.attr?.[name]?.b ?? absent;
  }

  text(name: string, absent: string): string {
    const value = this.node.attr?.[name]?.s;
    return value === undefined ? absent : readText(value);
  }

  texts(name: string): string[] {
    return (this.node.attr?.[name]?.list?.s ?? []).map(readText);
  }

  /** The dims of a shape attribute, -1 where a side is free; undefined when absent or of unknown rank. */
  shape(name: string): number[] | undefined {
    const shape = this.node.attr?.[name]?.shape;
    if (shape === undefined || shape.unknownRank === true) return undefined;
    return (shape.dim ?? []).map(({ size }) => Number(size ?? 0));
  }

  elementType(name: string): ElementType {
    const value = this.node.attr?.[name]?.type;
    if (value === undefined) throw new ImportError(`attribute ${name} is missing`);
    return readElementType(value);
  }
}

/** DataType of tensorflow/core/framework/types.proto. Whole numbers become int64, the type of shapes in ONNX. */
const elementTypes: Readonly<Record<string, ElementType>> = {
  DT_FLOAT: 'float32',
  '1': 'float32',
  DT_INT32: 'int64',
  '3': 'int64',
  DT_INT64: 'int64',
  '9': 'int64',
  DT_BOOL: 'bool',
  '10': 'bool',
};

export function readElementType(value: DataType): ElementType {
  const name = String(value);
  const type = elementTypes[name] ?? elementTypes[Buffer.from(name, 'base64').toString()];
  if (type === undefined) throw new ImportError(`data type ${name.slice(0, 40)} is not supported`);
  return type;
}

function readText(text: Text): string {
  return (typeof text === 'string' ? Buffer.from(text, 'base64') : Buffer.from(text)).toString();
}
