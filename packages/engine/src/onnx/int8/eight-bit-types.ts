import { AttributeType, type Graph, type Node, type TensorProto } from '../proto/model.js';

export type EightBit = 'uint8' | 'int8';

/** The 8-bit values that are known at some point of a graph, by name; an inner graph sees those around it too. */
export type KnownTypes = ReadonlyMap<string, EightBit>;

/** `TensorProto.DataType`. */
const typeOfCode = new Map<number | undefined, EightBit>([
  [2, 'uint8'],
  [3, 'int8'],
]);

/** Operators that only move or select elements. */
const moving = new Set(
  `Identity Reshape Transpose Squeeze Unsqueeze Flatten Slice Split Concat Gather GatherElements GatherND Expand Tile Pad
   MaxPool NhwcMaxPool DepthToSpace SpaceToDepth Resize Upsample Clip Relu Max Min Where ReverseSequence`.split(
    /\s+/,
  ),
);

/** Types of constants and of the graph's inputs. */
export function typesOfInputs({ initializer = [], input = [] }: Partial<Graph>): Map<string, EightBit> {
  const codes = [
    ...input.map(({ name, type }) => [name, type?.tensorType?.elemType] as const),
    ...initializer.map(({ name, dataType }) => [name, dataType] as const),
  ];
  return new Map(
    codes.flatMap(([name, code]) => {
      const type = typeOfCode.get(code);
      return name === undefined || type === undefined ? [] : [[name, type] as const];
    }),
  );
}

/** The 8-bit type of a node's output; undefined for other types, and where its inputs are unknown. */
export function typeOfResult(node: Node, known: KnownTypes): EightBit | undefined {
  const { opType = '', input = [] } = node;
  switch (opType) {
    case 'Constant':
      return typeOfCode.get(constantOf(node)?.dataType);
    case 'Cast':
      return typeOfCode.get(integer(node, 'to'));
    case 'DynamicQuantizeLinear':
      return 'uint8';
    case 'QuantizeLinear':
      if (input[2]) return known.get(input[2]);
      return integer(node, 'output_dtype') ? typeOfCode.get(integer(node, 'output_dtype')) : 'uint8';
    default:
      // Quantised operators keep their input type.
      if (!moving.has(opType) && !opType.startsWith('QLinear')) return undefined;
      return input.map((name) => known.get(name)).find((type) => type !== undefined);
  }
}

function constantOf({ attribute = [] }: Node): TensorProto | undefined {
  return attribute.find(({ name, type }) => name === 'value' && type === AttributeType.tensor)?.t;
}

function integer({ attribute = [] }: Node, wanted: string): number | undefined {
  const found = attribute.find(({ name }) => name === wanted)?.i;
  return found === undefined ? undefined : Number(found);
}
