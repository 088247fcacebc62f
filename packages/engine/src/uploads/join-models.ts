import type { Attribute, Graph, Model, Node, ValueInfo } from '../onnx/proto/model.js';

interface JoinParts {
  /** From the input `image` to an output `prepared`. */
  readonly before: Model;
  readonly net: Model;
  /** From `net_0`, `net_1`, … and further inputs of its own to the outputs of the family. */
  readonly after: Model;
  /** Input of the net that is fed by `prepared`. */
  readonly netInput: string;
  /** Inputs of the net that take other outputs of `before`. */
  readonly fed: readonly string[];
  /** Outputs of the net that `after` is fed by, in order. */
  readonly netOutputs: readonly string[];
  /** Written into the file, for use elsewhere. */
  readonly metadata: Readonly<Record<string, string>>;
}

/**
 * Concatenates three models. A prefix keeps names distinct, so that a net may use any; its operators stay those of
 * its own opset, in which the surrounding nodes are written as well.
 */
export function joinModels({ before, net, after, netInput, fed, netOutputs, metadata }: JoinParts): Model {
  const outer = [...(before.graph.input ?? []), ...(after.graph.input ?? [])].filter(
    ({ name = '' }) => !/^net_\d+$/.test(name),
  );
  const outputs = after.graph.output ?? [];
  const kept = new Map([...outer, ...outputs].map(({ name = '' }) => [name, name]));
  const ofNet = new Map(
    [['prepared', netInput] as const, ...fed.map((name) => [name, name] as const)].map(([from, to]) => [
      to,
      `before/${from}`,
    ]),
  );
  const intoAfter = new Map([
    ...kept,
    ...netOutputs.map((name, index) => [`net_${index}`, ofNet.get(name) ?? `net/${name}`] as const),
  ]);
  const graphs = [
    renameGraph(before.graph, (name) => kept.get(name) ?? `before/${name}`),
    renameGraph(net.graph, (name) => ofNet.get(name) ?? `net/${name}`),
    renameGraph(after.graph, (name) => intoAfter.get(name) ?? `after/${name}`),
  ];
  return {
    irVersion: maximum(net.irVersion ?? 8n, 8n),
    producerName: 'lynceus',
    opsetImport: net.opsetImport ?? [],
    ...(net.functions && { functions: net.functions }),
    metadataProps: Object.entries(metadata).map(([key, value]) => ({ key, value })),
    graph: {
      name: 'upload',
      node: graphs.flatMap(({ node = [] }) => node),
      initializer: graphs.flatMap(({ initializer = [] }) => initializer),
      input: outer,
      output: outputs,
    },
  };
}

type Rename = (name: string) => string;

function renameGraph(graph: Graph, rename: Rename): Graph {
  const infos = (list: readonly ValueInfo[] | undefined) =>
    list?.map((info) => ({ ...info, name: rename(info.name ?? '') })) ?? [];
  return {
    ...(graph.name !== undefined && { name: graph.name }),
    node: (graph.node ?? []).map((node) => renameNode(node, rename)),
    initializer: (graph.initializer ?? []).map((tensor) => ({ ...tensor, name: rename(tensor.name ?? '') })),
    input: infos(graph.input),
    output: infos(graph.output),
  };
}

function renameNode(node: Node, rename: Rename): Node {
  // An empty name is an omitted input or output.
  const renamed = (names: readonly string[] | undefined) =>
    names?.map((name) => (name === '' ? '' : rename(name))) ?? [];
  return {
    ...node,
    // The runtime requires that names are distinct.
    name: node.name ? rename(node.name) : '',
    input: renamed(node.input),
    output: renamed(node.output),
    attribute: (node.attribute ?? []).map((attribute) => renameAttribute(attribute, rename)),
  };
}

function renameAttribute(attribute: Attribute, rename: Rename): Attribute {
  const { g, graphs } = attribute;
  if (g === undefined && graphs === undefined) return attribute;
  return {
    ...attribute,
    ...(g && { g: renameGraph(g, rename) }),
    ...(graphs && { graphs: graphs.map((graph) => renameGraph(graph, rename)) }),
  };
}

function maximum(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
