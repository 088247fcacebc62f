import { ImportError } from '../import-error.js';
import {
  type Attribute,
  AttributeType,
  type Graph,
  type Model,
  type Node,
  type TensorProto,
  type ValueInfo,
} from '../proto/model.js';
import { type ElementType, elementsOf, elementTypeCodes, type TensorData } from './element-type.js';
import { elementCount, type Value } from './value.js';

/** Operators of ONNX 1.12; read by every ONNX Runtime since 1.12. */
const opsetVersion = 17n;
const irVersion = 8n;

/** The format's limit is 2 GiB. All constants count, even those that are not written: a small file may ask for many. */
const maxConstantBytes = 2 ** 31 - 2 ** 24;

/** Integers and lists of them as they are; floats are marked, because a JavaScript number does not show its type. */
export type AttributeValue =
  | number
  | string
  | readonly number[]
  | { readonly float: number }
  | { readonly floats: readonly number[] };

export type Attributes = Readonly<Record<string, AttributeValue>>;

/** Output of a node: element type, logical dims, and memory order (`as-dims` unless given). */
type ResultSpec = Pick<Value, 'type' | 'dims'> & Partial<Pick<Value, 'storage'>>;

interface Producer {
  readonly op: string;
  readonly inputs: readonly (Value | null)[];
}

/**
 * Collects nodes, constants, inputs and outputs, and gives an ONNX model. Equal nodes are written once, and only
 * constants that some node uses are written at all.
 */
export class GraphBuilder {
  readonly #nodes: Node[] = [];
  readonly #initializers = new Map<string, TensorProto>();
  readonly #inputs: ValueInfo[] = [];
  readonly #outputs: ValueInfo[] = [];
  readonly #names = new Set<string>();
  readonly #producers = new Map<string, Producer>();
  readonly #known = new Map<string, Value[]>();
  #constantBytes = 0;

  /**
   * @param freeSize Height and width of the image may change from run to run: they are nominal in `dims`.
   * @param freeBatch So may the number of images, the first of the dims.
   */
  constructor(
    readonly freeSize = false,
    readonly freeBatch = false,
  ) {}

  /** @param dims A string names a side that is free. `nominal` gives the numbers to compute with. */
  input(
    name: string,
    type: ElementType,
    dims: readonly (number | string)[],
    nominal?: readonly number[],
  ): Value {
    this.#names.add(name);
    this.#inputs.push(valueInfo(name, type, dims));
    return {
      name,
      type,
      dims: nominal ?? dims.map((dim) => (typeof dim === 'number' ? dim : -1)),
      storage: 'as-dims',
    };
  }

  constant(type: ElementType, dims: readonly number[], data: TensorData, hint = 'constant'): Value {
    const sane = dims.every((side) => Number.isSafeInteger(side) && side >= 0);
    if (!sane || data.length !== elementCount(dims)) {
      throw new ImportError(`constant "${hint}" of shape [${dims.join(',')}] holds ${data.length} elements`);
    }
    this.#constantBytes += data.byteLength;
    if (this.#constantBytes > maxConstantBytes) {
      throw new ImportError(`the model's weights come to more than ${maxConstantBytes} bytes`);
    }
    return { name: this.#freshName(hint), type, dims, storage: 'as-dims', constant: data };
  }

  /** A list of int64, as shapes and axes are written. */
  integers(numbers: readonly number[], hint?: string): Value {
    return this.constant('int64', [numbers.length], elementsOf('int64', numbers), hint);
  }

  scalar(type: ElementType, number: number, hint?: string): Value {
    return this.constant(type, [], elementsOf(type, [number]), hint);
  }

  /** Adds a node with one output. An input that is left out is null. */
  node(op: string, inputs: readonly (Value | null)[], attributes: Attributes, result: ResultSpec): Value {
    const [value] = this.nodes(op, inputs, attributes, [result]);
    if (value === undefined) throw new ImportError(`${op} gave nothing`);
    return value;
  }

  /** Adds a node with several outputs. */
  nodes(
    op: string,
    inputs: readonly (Value | null)[],
    attributes: Attributes,
    results: readonly ResultSpec[],
  ): readonly Value[] {
    const inputNames = inputs.map((input) =>
      input === null ? '' : this.#nameInFile(this.#multiplied(input)),
    );
    const key = JSON.stringify([op, inputNames, attributes]);
    const known = this.#known.get(key);
    // An equal node is reused, but the caller defines the meaning of its output: [n,h,w,c] stored channels first and
    // [n,c,h,w] come of the same transpose.
    const values = results.map(({ type, dims, storage = 'as-dims' }, index) => ({
      type,
      dims,
      storage,
      name: known?.[index]?.name ?? this.#freshName(op.toLowerCase()),
    }));
    if (known !== undefined) return values;
    this.#nodes.push({
      opType: op,
      name: this.#freshName(op),
      input: inputNames,
      output: values.map((value) => value.name),
      attribute: Object.entries(attributes).map(([name, value]) => attributeOf(name, value)),
    });
    this.#known.set(key, values);
    for (const value of values) this.#producers.set(value.name, { op, inputs });
    return values;
  }

  /** The node that gives `value`, for operators that recognise the preceding node. */
  producerOf(value: Value): Producer | undefined {
    return this.#producers.get(value.name);
  }

  /** Declares a value as an output of the model. @param dims Not declared when absent. */
  output(name: string, value: Value, dims?: readonly (number | string)[]): void {
    this.#names.add(name);
    this.#nodes.push({
      opType: 'Identity',
      name: this.#freshName('output'),
      input: [this.#nameInFile(this.#multiplied(value))],
      output: [name],
    });
    this.#outputs.push(valueInfo(name, value.type, dims));
  }

  /** The model: the nodes that the outputs need, and the constants that those use. */
  finish(graphName: string): Model {
    const { nodes, used } = this.#neededNodes();
    const graph: Graph = {
      name: graphName,
      node: nodes,
      initializer: [...this.#initializers.values()].filter(({ name = '' }) => used.has(name)),
      input: this.#inputs,
      output: this.#outputs,
    };
    return {
      irVersion,
      producerName: 'lynceus',
      opsetImport: [{ domain: '', version: opsetVersion }],
      graph,
    };
  }

  #neededNodes(): { readonly nodes: Node[]; readonly used: ReadonlySet<string> } {
    const used = new Set(this.#outputs.map(({ name = '' }) => name));
    const nodes = this.#nodes.toReversed().filter((node) => {
      const needed = node.output?.some((name) => used.has(name)) ?? false;
      if (needed) for (const name of node.input ?? []) used.add(name);
      return needed;
    });
    return { nodes: nodes.reverse(), used };
  }

  #multiplied(value: Value): Value {
    const { factor = 1, ...plain } = value;
    return factor === 1
      ? plain
      : this.node('Mul', [plain, this.scalar('float32', factor, 'factor')], {}, plain);
  }

  #nameInFile(value: Value): string {
    const { name, type, dims, constant } = value;
    if (constant === undefined) return name;
    // Small constants are shared by content, so that equal nodes have equal inputs.
    const shared = constant.length <= 16 ? `${type}[${dims.join()}]${constant.join()}` : name;
    const known = this.#initializers.get(shared);
    if (known?.name !== undefined) return known.name;
    const rawData = new Uint8Array(constant.buffer, constant.byteOffset, constant.byteLength);
    this.#initializers.set(shared, {
      name,
      dims: dims.map(BigInt),
      dataType: elementTypeCodes[type],
      rawData,
    });
    return name;
  }

  #freshName(hint: string): string {
    let name = hint;
    for (let count = this.#names.size; this.#names.has(name); count++) name = `${hint}_${count}`;
    this.#names.add(name);
    return name;
  }
}

function attributeOf(name: string, value: AttributeValue): Attribute {
  if (typeof value === 'number') return { name, type: AttributeType.int, i: BigInt(value) };
  if (typeof value === 'string') return { name, type: AttributeType.string, s: Buffer.from(value) };
  if ('float' in value) return { name, type: AttributeType.float, f: value.float };
  if ('floats' in value) return { name, type: AttributeType.floats, floats: value.floats };
  return { name, type: AttributeType.ints, ints: value.map(BigInt) };
}

function valueInfo(name: string, type: ElementType, dims?: readonly (number | string)[]): ValueInfo {
  const dim = dims?.map((side) =>
    typeof side === 'number' ? { dimValue: BigInt(side) } : { dimParam: side },
  );
  return { name, type: { tensorType: { elemType: elementTypeCodes[type], ...(dim && { shape: { dim } }) } } };
}
