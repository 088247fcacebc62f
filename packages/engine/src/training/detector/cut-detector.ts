import { readModel } from '../../onnx/proto/codec.js';
import type { Model, Node, TensorProto } from '../../onnx/proto/model.js';
import { TrainingError } from '../training-error.js';

/** One feature map: the same number of anchors at each of its cells. */
interface AnchorLevel {
  /** Name of the features, f32 [1,dims,height,width]. */
  readonly features: string;
  readonly dims: number;
  readonly anchorsPerCell: number;
  /** [anchorsPerCell, classes, dims]: from a cell's features to the backbone's own logits of its anchors. */
  readonly weights: Float32Array;
  /** [anchorsPerCell, classes] */
  readonly biases: Float32Array;
}

/**
 * A shipped single-shot detector before its classes: per anchor the features, its own logits as a linear map of them,
 * and the decoded box. Anchors count level by level, within a level cell by cell (rows first).
 */
export interface DetectorBackbone {
  /** Everything up to the features and boxes; it has no output yet. */
  readonly model: Model;
  readonly levels: readonly AnchorLevel[];
  readonly classes: number;
  /** Name of the decoded boxes, f32 [1,anchors,4], relative to the image. */
  readonly corners: string;
  /** Columns of `corners` that hold xMin, yMin, xMax, yMax. */
  readonly columns: readonly [number, number, number, number];
}

/**
 * Finds features and boxes by the structure of the graph, because names change with conversions: the inputs of the final
 * suppression are boxes and scores; scores are the concatenation of one 1x1 convolution per level, whose inputs are
 * the features.
 * @throws TrainingError 'model-missing' where the graph is built otherwise.
 */
export function cutDetector(bytes: Uint8Array, id: string): DetectorBackbone {
  const model = readModel(bytes);
  const graph = new Producers(model, id);
  const suppression = graph.find('NonMaxSuppression');
  const corners = inputOf(suppression, 0);
  const logits = graph.back(inputOf(suppression, 1), 'Concat');
  const reshapes = (logits.input ?? []).map((name) => graph.back(name, 'Reshape'));
  const classes = graph.integers(inputOf(reshapes[0], 1)).at(-1) ?? 0;
  const columns = graph.integers(inputOf(graph.back('boxes', 'Gather'), 1));
  const [xMin = 0, yMin = 1, xMax = 2, yMax = 3] = columns;
  const levels = reshapes.map((reshape) => readLevel(graph, reshape, classes));
  const outputs = [...levels.map(({ features }) => features), corners];
  return {
    model: keepNeeded(model, outputs),
    levels,
    classes,
    corners,
    columns: [xMin, yMin, xMax, yMax],
  };
}

function readLevel(graph: Producers, reshape: Node, classes: number): AnchorLevel {
  const convolution = graph.back(inputOf(reshape, 0), 'Conv');
  const sum = graph.consumer(convolution, 'Add');
  const kernel = graph.tensor(inputOf(convolution, 1));
  const [rows = 0, dims = 0] = (kernel.dims ?? []).map(Number);
  return {
    features: inputOf(convolution, 0),
    dims,
    anchorsPerCell: rows / classes,
    weights: floatsOf(kernel),
    biases: floatsOf(graph.tensor(inputOf(sum, 1))),
  };
}

/** The nodes of a graph by their outputs. */
class Producers {
  readonly #byOutput = new Map<string, Node>();
  readonly #constants: ReadonlyMap<string, TensorProto>;
  readonly #nodes: readonly Node[];

  constructor(
    model: Model,
    readonly id: string,
  ) {
    this.#nodes = model.graph.node ?? [];
    for (const node of this.#nodes) for (const name of node.output ?? []) this.#byOutput.set(name, node);
    this.#constants = new Map((model.graph.initializer ?? []).map((tensor) => [tensor.name ?? '', tensor]));
  }

  find(op: string): Node {
    return this.#nodes.find(({ opType }) => opType === op) ?? this.#refuse(`it has no ${op}`);
  }

  /** The first node of that kind on the way back along first inputs. */
  back(name: string, op: string): Node {
    let at = this.#byOutput.get(name);
    while (at && at.opType !== op) at = this.#byOutput.get(at.input?.[0] ?? '');
    return at ?? this.#refuse(`no ${op} stands before "${name}"`);
  }

  consumer({ output = [] }: Node, op: string): Node {
    const found = this.#nodes.find(({ opType, input }) => opType === op && input?.[0] === output[0]);
    return found ?? this.#refuse(`no ${op} follows "${output[0]}"`);
  }

  tensor(name: string): TensorProto {
    return this.#constants.get(name) ?? this.#refuse(`"${name}" is no constant`);
  }

  integers(name: string): number[] {
    const { rawData = new Uint8Array() } = this.tensor(name);
    return Array.from(new BigInt64Array(copyOf(rawData)), Number);
  }

  #refuse(reason: string): never {
    throw new TrainingError(
      'model-missing',
      `no detector can be trained on model ${this.id}: ${reason}; choose coco-ssd`,
    );
  }
}

function inputOf(node: Node | undefined, index: number): string {
  return node?.input?.[index] ?? '';
}

function floatsOf({ rawData = new Uint8Array() }: TensorProto): Float32Array {
  return new Float32Array(copyOf(rawData));
}

/** A copy: views into a file may be unaligned. */
function copyOf(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

/** The subgraph that computes these values, without any output. */
function keepNeeded(model: Model, values: readonly string[]): Model {
  const wanted = new Set(values);
  const nodes = (model.graph.node ?? []).toReversed().filter(({ input = [], output = [] }) => {
    const isNeeded = output.some((name) => wanted.has(name));
    if (isNeeded) for (const name of input) wanted.add(name);
    return isNeeded;
  });
  const { graph } = model;
  return {
    ...model,
    graph: {
      ...graph,
      node: nodes.reverse(),
      initializer: (graph.initializer ?? []).filter(({ name = '' }) => wanted.has(name)),
      input: (graph.input ?? []).filter(({ name = '' }) => wanted.has(name)),
      output: [],
      valueInfo: [],
    },
  };
}
