import type { Graph, Node, TensorProto } from '../proto/model.js';
import { type FloatTensor, floatsOf } from './float-tensor.js';

/** What takes the place of one node: the last of `nodes` writes the outputs of the replaced one. */
export interface Replacement {
  readonly nodes: readonly Node[];
  readonly constants?: readonly TensorProto[];
}

/**
 * A graph whose nodes are replaced one by one. Nodes that nothing reads any more leave it with their last reader. What graphs
 * inside nodes (`If`, `Loop`) read counts as read, and is not changed.
 */
export class RewritableGraph {
  readonly #graph: Graph;
  readonly #nodes: Node[];
  /** The same. */
  readonly #present = new Set<Node>();
  readonly #constants = new Map<string, TensorProto>();
  readonly #producers = new Map<string, Node>();
  readonly #readers = new Map<string, Node[]>();
  /** Read by something else than a node: outputs, and values that inner graphs use. */
  readonly #kept: ReadonlySet<string>;
  readonly #names: Set<string>;

  constructor(graph: Graph) {
    this.#graph = graph;
    this.#nodes = [...(graph.node ?? [])];
    // An input of the same name may take the place of an initialiser at run time.
    const inputs = new Set((graph.input ?? []).map(({ name }) => name));
    for (const tensor of graph.initializer ?? []) {
      if (tensor.name !== undefined && !inputs.has(tensor.name)) this.#constants.set(tensor.name, tensor);
    }
    const inner = this.#nodes.flatMap(innerGraphs);
    this.#kept = new Set([...(graph.output ?? []).map(({ name = '' }) => name), ...inner.flatMap(namesIn)]);
    this.#names = new Set(namesIn(graph));
    for (const node of this.#nodes) this.#link(node);
  }

  /** The nodes as they are now; each after those whose outputs it reads. */
  get nodes(): readonly Node[] {
    return this.#nodes;
  }

  /** Whether every input is declared to have one image, or one of whatever its first dim counts. */
  get isForOneImage(): boolean {
    const initial = new Set((this.#graph.initializer ?? []).map(({ name }) => name));
    const inputs = (this.#graph.input ?? []).filter(({ name }) => !initial.has(name));
    return inputs.every(({ type }) => type?.tensorType?.shape?.dim?.[0]?.dimValue === 1n);
  }

  has(node: Node): boolean {
    return this.#present.has(node);
  }

  producerOf(name: string | undefined): Node | undefined {
    return name === undefined ? undefined : this.#producers.get(name);
  }

  /** Nodes that read a value, once for each input where they do. */
  readersOf(name: string | undefined): readonly Node[] {
    return this.#readers.get(name ?? '') ?? [];
  }

  /** Whether a value is read by these nodes alone, and is no output. */
  isReadOnlyBy(name: string | undefined, readers: readonly Node[]): boolean {
    if (name === undefined || this.#kept.has(name)) return false;
    return this.readersOf(name).every((reader) => readers.includes(reader));
  }

  /** The only node that reads a value, where it reads it once and the value is no output. */
  onlyReaderOf(name: string | undefined): Node | undefined {
    const [reader, ...others] = this.readersOf(name);
    return reader !== undefined && others.length === 0 && !this.#kept.has(name ?? '') ? reader : undefined;
  }

  /** A constant of this graph, whatever its type. */
  constant(name: string | undefined): TensorProto | undefined {
    const known = this.#constants.get(name ?? '');
    if (known !== undefined) return known;
    const producer = this.producerOf(name);
    if (producer?.opType !== 'Constant') return undefined;
    return producer.attribute?.find((attribute) => attribute.name === 'value')?.t;
  }

  /** A constant f32 tensor; undefined for anything else. */
  floats(name: string | undefined): FloatTensor | undefined {
    const tensor = this.constant(name);
    return tensor && floatsOf(tensor);
  }

  /** A name that no value and no node of the graph has. */
  freshName(hint: string): string {
    let name = `rewritten/${hint}`;
    for (let count = this.#names.size; this.#names.has(name); count++) name = `rewritten/${hint}_${count}`;
    this.#names.add(name);
    return name;
  }

  replace(node: Node, { nodes, constants = [] }: Replacement): void {
    for (const tensor of constants) this.#constants.set(tensor.name ?? '', tensor);
    const unread = this.#unlink(node);
    this.#nodes.splice(this.#nodes.indexOf(node), 1, ...nodes);
    for (const each of nodes) this.#link(each);
    for (const name of unread) this.#dropUnread(name);
  }

  /** The graph with its changes; constants that nothing reads any more are left out. */
  finish(): Graph {
    const known = new Set((this.#graph.initializer ?? []).map(({ name }) => name));
    const added = [...this.#constants.values()].filter(({ name }) => !known.has(name));
    const isRead = ({ name = '' }: TensorProto) => this.#kept.has(name) || this.readersOf(name).length > 0;
    const isInput = ({ name }: TensorProto) => !this.#constants.has(name ?? '');
    const initializer = [...(this.#graph.initializer ?? []), ...added];
    return {
      ...this.#graph,
      node: this.#nodes,
      initializer: initializer.filter((tensor) => isInput(tensor) || isRead(tensor)),
    };
  }

  #link(node: Node): void {
    this.#present.add(node);
    for (const name of node.output ?? []) if (name !== '') this.#producers.set(name, node);
    for (const name of node.input ?? []) this.#readers.set(name, [...this.readersOf(name), node]);
  }

  /** @returns What the node read. */
  #unlink(node: Node): readonly string[] {
    this.#present.delete(node);
    for (const name of node.output ?? []) this.#producers.delete(name);
    const inputs = [...new Set(node.input ?? [])];
    for (const name of inputs) {
      this.#readers.set(
        name,
        this.readersOf(name).filter((reader) => reader !== node),
      );
    }
    return inputs;
  }

  #dropUnread(name: string): void {
    const producer = this.producerOf(name);
    const outputs = producer?.output ?? [];
    const isRead = outputs.some((output) => this.#kept.has(output) || this.readersOf(output).length > 0);
    if (producer === undefined || isRead) return;
    const unread = this.#unlink(producer);
    this.#nodes.splice(this.#nodes.indexOf(producer), 1);
    for (const input of unread) this.#dropUnread(input);
  }
}

function innerGraphs({ attribute = [] }: Node): Graph[] {
  return attribute.flatMap(({ g, graphs = [] }) => [...(g ? [g] : []), ...graphs]);
}

function namesIn(graph: Graph): string[] {
  const { node = [], initializer = [], input = [], output = [] } = graph;
  return [
    ...[...initializer, ...input, ...output].map(({ name = '' }) => name),
    ...node.flatMap((each) => [each.name ?? '', ...(each.input ?? []), ...(each.output ?? [])]),
    ...node.flatMap(innerGraphs).flatMap(namesIn),
  ];
}
