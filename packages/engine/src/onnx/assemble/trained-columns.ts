import { ImportError } from '../import-error.js';
import type { Graph, Model, Node, TensorProto } from '../proto/model.js';
import type { TrainedColumns } from '../recipe.js';

const float32 = 1;

/**
 * A net whose last layer has trained columns in place of some of its own and behind them.
 * @param asset The rows of the trained columns, see `TrainedColumns`.
 * @throws ImportError where the net has no such layer, or the rows do not fit it.
 */
export function withTrainedColumns(
  model: Model,
  { weights: weightsName, biases: biasesName, columns }: TrainedColumns,
  asset: Uint8Array,
): Model {
  const weights = floatsOf(constantOf(model.graph, weightsName), weightsName);
  const biases = floatsOf(constantOf(model.graph, biasesName), biasesName);
  const own = biases.length;
  const dims = weights.length / own;
  const rows = new Float32Array(new Uint8Array(asset).buffer);
  if (!Number.isInteger(dims) || rows.length !== columns.length * (dims + 1)) {
    throw new ImportError(`the trained columns do not fit the layer ${weightsName}`);
  }
  const count = Math.max(own, ...columns.map((column) => column + 1));
  const known = new Set([...Array(own).keys(), ...columns]);
  if (known.size !== count) throw new ImportError('the trained columns leave gaps behind the layer');
  const [wider, longer] = [new Float32Array(dims * count), new Float32Array(count)];
  for (let dim = 0; dim < dims; dim += 1) {
    wider.set(weights.subarray(dim * own, (dim + 1) * own), dim * count);
    columns.forEach((column, row) => {
      wider[dim * count + column] = rows[row * dims + dim] ?? 0;
    });
  }
  longer.set(biases);
  columns.forEach((column, row) => {
    longer[column] = rows[columns.length * dims + row] ?? 0;
  });
  const replaced = new Map([
    [weightsName, tensorOf(weightsName, [dims, count], wider)],
    [biasesName, tensorOf(biasesName, [count], longer)],
  ]);
  return { ...model, graph: withConstants(model.graph, replaced) };
}

/** A constant, which files hold as an initializer or as the value of a node. */
function constantOf(graph: Graph, name: string): TensorProto {
  const tensor =
    graph.initializer?.find((known) => known.name === name) ??
    graph.node?.find((node) => isConstant(node, name))?.attribute?.find(({ t }) => t !== undefined)?.t;
  if (tensor === undefined) throw new ImportError(`the model has no constant named ${name}`);
  return tensor;
}

function withConstants(graph: Graph, replaced: ReadonlyMap<string, TensorProto>): Graph {
  return {
    ...graph,
    initializer: [
      ...(graph.initializer ?? []).filter(({ name = '' }) => !replaced.has(name)),
      ...replaced.values(),
    ],
    node: (graph.node ?? []).filter((node) => ![...replaced.keys()].some((name) => isConstant(node, name))),
  };
}

function isConstant({ opType, output }: Node, name: string): boolean {
  return opType === 'Constant' && output?.[0] === name;
}

function floatsOf({ dataType, rawData, floatData }: TensorProto, name: string): Float32Array {
  if (dataType !== float32) throw new ImportError(`${name} has no float32 numbers`);
  if (rawData === undefined || rawData.length === 0) return Float32Array.from(floatData ?? []);
  // A copy, so that the numbers may start at any byte of the file.
  return new Float32Array(new Uint8Array(rawData).buffer);
}

function tensorOf(name: string, dims: readonly number[], data: Float32Array): TensorProto {
  return { name, dims: dims.map(BigInt), dataType: float32, rawData: new Uint8Array(data.buffer) };
}
