import { AttributeType, type Graph, type Model, type Node, type TensorProto } from '../proto/model.js';
import { type EightBit, typeOfResult, typesOfInputs } from './eight-bit-types.js';
import { bytesOf, fitSixteenBits, type Operand, saturatingOperands } from './integer-products.js';

const dataTypes = { uint8: 2, int8: 3, int32: 6 } as const;
/** XOR between an int8 number and the uint8 number that is 128 greater. */
const signBit = 128;

/** Values that are known inside a graph; an inner graph sees those of its outer graphs. */
interface Scope {
  readonly types: Map<string, EightBit>;
  readonly quantised: Set<string>;
  readonly initializers: ReadonlyMap<string, TensorProto>;
  /** Constants of this graph in the other type, by their names in the file. */
  readonly flipped: Map<string, TensorProto>;
  readonly outer: Scope | undefined;
}

/**
 * The same model, written so that no node multiplies uint8 by int8: CPUs without VNNI add two such products in 16 bits,
 * which saturate. int8 weights w with zero point z become the uint8 weights w+128 with zero point z+128, whose
 * differences are the same, so the results are those of exact arithmetic. Weights too small to saturate stay.
 * ONNX Runtime's option `session.x64quantprecision` is meant for this, but refuses graphs in which two nodes share a
 * zero point or whose activations are int8 (1.30).
 * @param canOverwrite Whether weights may be changed in place instead of in a copy: the given model must not be
 * used afterwards.
 * @returns undefined when nothing had to change.
 */
export function withExactProducts(
  model: Model,
  { canOverwrite = false }: { readonly canOverwrite?: boolean } = {},
): Model | undefined {
  const writer = new ExactWriter();
  const graph = writer.graph(model.graph, undefined);
  const functions = model.functions?.map((each) => ({
    ...each,
    node: writer.graph({ node: each.node ?? [] }, undefined).node ?? [],
  }));
  if (writer.changes === 0) return undefined;
  const written = { ...model, graph: withoutUnused(graph), ...(functions && { functions }) };
  const kept = new Set(written.graph.initializer);
  const dropped = new Set(model.graph.initializer?.filter((tensor) => !kept.has(tensor)));
  for (const { from, to } of writer.flips) {
    const bytes = bytesOf(from);
    to.rawData = canOverwrite && dropped.has(from) ? bytes : new Uint8Array(bytes);
    flipBits(to.rawData);
  }
  return written;
}

/** A tensor that gets the numbers of another one after the whole graph was processed: until then those are still read. */
interface Flip {
  readonly from: TensorProto;
  readonly to: TensorProto & { rawData?: Uint8Array };
}

class ExactWriter {
  changes = 0;
  readonly flips: Flip[] = [];
  #names = 0;

  graph(graph: Graph, outer: Scope | undefined): Graph {
    const initializer = graph.initializer ?? [];
    const scope: Scope = {
      types: new Map([...(outer?.types ?? []), ...typesOfInputs(graph)]),
      quantised: new Set(outer?.quantised),
      initializers: new Map(initializer.map((tensor) => [tensor.name ?? '', tensor])),
      flipped: new Map(),
      outer,
    };
    const node = (graph.node ?? []).flatMap((each) => this.#node(each, scope));
    return { ...graph, node, initializer: [...initializer, ...scope.flipped.values()] };
  }

  #node(given: Node, scope: Scope): Node[] {
    const node = this.#withInnerGraphs(given, scope);
    const operands = saturatingOperands(node, scope.types, (name) => scope.quantised.has(name));
    const isExact = operands.every((operand) => isTooSmall(operand, node, scope));
    const nodes = isExact ? [node] : this.#exact(node, operands, scope);
    const type = typeOfResult(node, scope.types);
    for (const name of node.output ?? []) {
      if (type !== undefined) scope.types.set(name, type);
      if (node.opType === 'QuantizeLinear') scope.quantised.add(name);
    }
    return nodes;
  }

  #withInnerGraphs(node: Node, scope: Scope): Node {
    if (!node.attribute?.some(({ g, graphs }) => g !== undefined || (graphs?.length ?? 0) > 0)) return node;
    const attribute = node.attribute.map((each) => ({
      ...each,
      ...(each.g && { g: this.graph(each.g, scope) }),
      ...(each.graphs && { graphs: each.graphs.map((inner) => this.graph(inner, scope)) }),
    }));
    return { ...node, attribute };
  }

  #exact(node: Node, operands: readonly Operand[], scope: Scope): Node[] {
    const input = [...(node.input ?? [])];
    const before: Node[] = [];
    for (const { value, zeroPoint, to, shapedAs } of operands) {
      while (input.length <= zeroPoint) input.push('');
      if (input[zeroPoint]) {
        input[zeroPoint] = this.#other(input[zeroPoint], to, scope, before);
      } else {
        const like = shapedAs === undefined ? undefined : initializerOf(input[shapedAs] ?? '', scope)?.tensor;
        // Scales that are not constants do not say how many there are.
        if (shapedAs !== undefined && like === undefined) return [node];
        input[zeroPoint] = this.#constant(zeroPointOf(to, like?.dims ?? []), before);
      }
      input[value] = this.#other(input[value] ?? '', to, scope, before);
    }
    this.changes++;
    return [...before, { ...node, input }];
  }

  /** The same numbers, 128 apart, in the other type: a constant, or nodes that compute it. */
  #other(name: string, to: EightBit, scope: Scope, before: Node[]): string {
    const found = initializerOf(name, scope);
    if (found !== undefined) {
      const known = found.scope.flipped.get(name);
      if (known?.name !== undefined) return known.name;
      const flipped = { name: this.#fresh(), dims: found.tensor.dims ?? [], dataType: dataTypes[to] };
      this.flips.push({ from: found.tensor, to: flipped });
      found.scope.flipped.set(name, flipped);
      return flipped.name;
    }
    const step = { dims: [], dataType: dataTypes.int32, int32Data: [to === 'uint8' ? signBit : -signBit] };
    const shift = this.#constant(step, before);
    const wide = this.#add(node('Cast', [name], castTo('int32')), before);
    const moved = this.#add(node('Add', [wide, shift]), before);
    return this.#add(node('Cast', [moved], castTo(to)), before);
  }

  #constant(tensor: TensorProto, before: Node[]): string {
    return this.#add(
      node('Constant', [], [{ name: 'value', type: AttributeType.tensor, t: tensor }]),
      before,
    );
  }

  #add(each: Node, before: Node[]): string {
    const name = this.#fresh();
    before.push({ ...each, name, output: [name] });
    return name;
  }

  #fresh(): string {
    return `exact-int8/${this.#names++}`;
  }
}

/** Weights that stay int8, since no two products can exceed 16 bits. */
function isTooSmall({ value, to }: Operand, { input = [] }: Node, scope: Scope): boolean {
  const weights = initializerOf(input[value] ?? '', scope)?.tensor;
  return to === 'uint8' && weights !== undefined && fitSixteenBits(weights);
}

function node(opType: string, input: readonly string[], attribute: Node['attribute'] = []): Node {
  return { opType, input, attribute };
}

function castTo(type: keyof typeof dataTypes): Node['attribute'] {
  return [{ name: 'to', type: AttributeType.int, i: BigInt(dataTypes[type]) }];
}

function initializerOf(
  name: string,
  scope: Scope | undefined,
): { readonly tensor: TensorProto; readonly scope: Scope } | undefined {
  if (scope === undefined || name === '') return undefined;
  const tensor = scope.initializers.get(name);
  return tensor === undefined ? initializerOf(name, scope.outer) : { tensor, scope };
}

/** There may be hundreds of millions while a caller waits for a model: four at once take a quarter of the time. */
function flipBits(bytes: Uint8Array): void {
  const aligned = bytes.subarray(-bytes.byteOffset & 3);
  const count = aligned.length >> 2;
  const words = count === 0 ? new Uint32Array() : new Uint32Array(bytes.buffer, aligned.byteOffset, count);
  for (let index = 0; index < count; index++) words[index] = (words[index] ?? 0) ^ 0x80808080;
  for (const edge of [bytes.subarray(0, -bytes.byteOffset & 3), aligned.subarray(4 * count)]) {
    for (let index = 0; index < edge.length; index++) edge[index] = (edge[index] ?? 0) ^ signBit;
  }
}

/** The default zero point, in the other type. */
function zeroPointOf(to: EightBit, dims: readonly bigint[]): TensorProto {
  const count = dims.reduce((product, side) => product * Number(side), 1);
  return { dims, dataType: dataTypes[to], rawData: new Uint8Array(count).fill(signBit) };
}

/** Weights that only the old nodes used would double the model's memory. */
function withoutUnused(graph: Graph): Graph {
  const used = new Set(namesIn(graph));
  return { ...graph, initializer: (graph.initializer ?? []).filter(({ name = '' }) => used.has(name)) };
}

function namesIn({ node: nodes = [], output = [] }: Graph): string[] {
  const inner = nodes.flatMap(({ attribute = [] }) =>
    attribute.flatMap(({ g, graphs = [] }) => [...(g ? [g] : []), ...graphs]),
  );
  return [
    ...nodes.flatMap(({ input = [] }) => input),
    ...output.flatMap(({ name }) => (name === undefined ? [] : [name])),
    ...inner.flatMap(namesIn),
  ];
}
