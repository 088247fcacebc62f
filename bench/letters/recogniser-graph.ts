import { readModel, writeModel } from '@lynceus/engine/onnx';
import type { Node, TensorProto } from '#engine/onnx/proto/model.js';
import { floatsIn, type OpenGraph, openGraph } from '#engine/training/open-graph.js';

/** The last layer of a recogniser: logits of a step are `features * weights + biases`. */
export interface LastLayer {
  readonly dims: number;
  readonly columns: number;
  /** [dims, columns] */
  readonly weights: Float32Array;
  readonly biases: Float32Array;
}

/** What a strip's steps are before the last layer. */
export interface StripFeatures {
  readonly steps: number;
  /** [steps, dims] */
  readonly features: Float32Array;
  /** [steps]: log of the sum of exp of the logits that do not change. */
  readonly frozen: Float32Array;
}

export interface FeatureGraph {
  run(strip: { readonly data: Uint8Array; readonly dims: readonly number[] }): Promise<StripFeatures>;
  close(): Promise<void>;
}

/** The last layer of an assembled recogniser (`recipe.head` is `ctc`): its last MatMul and the Add behind it. */
export function lastLayerOf(
  model: Uint8Array,
): LastLayer & { readonly features: string; readonly logits: string } {
  const { graph } = readModel(model);
  const nodes = graph.node ?? [];
  const product = nodes.findLast(({ opType }) => opType === 'MatMul');
  const sum = nodes.find(
    ({ opType, input = [] }) => opType === 'Add' && input.includes(product?.output?.[0] ?? ''),
  );
  const tensor = (node: Node | undefined) =>
    graph.initializer?.find(({ name = '' }) => node?.input?.includes(name)) ??
    fail('has no constant in its last layer');
  const weights = tensor(product);
  const [dims = 0, columns = 0] = (weights.dims ?? []).map(Number);
  return {
    dims,
    columns,
    weights: floatsOf(weights),
    biases: floatsOf(tensor(sum)),
    features: product?.input?.[0] ?? fail('has no MatMul'),
    logits: sum?.output?.[0] ?? fail('has no biases'),
  };
}

/** The recogniser up to its features, and the weight of all columns but those that will change. */
export async function openFeatureGraph(
  model: Uint8Array,
  changing: readonly number[],
): Promise<FeatureGraph> {
  const layer = lastLayerOf(model);
  const source = readModel(model);
  const without = new Float32Array(layer.columns);
  for (const column of changing) if (column < layer.columns) without[column] = -1e4;
  const constant: TensorProto = {
    name: 'bench/without',
    dims: [BigInt(layer.columns)],
    dataType: 1,
    rawData: new Uint8Array(without.buffer),
  };
  const axes: TensorProto = { name: 'bench/axes', dims: [1n], dataType: 7, int64Data: [2n] };
  const nodes: Node[] = [
    { opType: 'Add', input: [layer.logits, 'bench/without'], output: ['bench/logits'] },
    {
      opType: 'ReduceLogSumExp',
      input: ['bench/logits'],
      output: ['bench/frozen'],
      attribute: [
        { name: 'axes', type: 7, ints: [2n] },
        { name: 'keepdims', type: 2, i: 0n },
      ],
    },
    { opType: 'Identity', input: [layer.features], output: ['bench/features'] },
  ];
  const kept = neededFor([...(source.graph.node ?? []), ...nodes], ['bench/frozen', 'bench/features']);
  const output = (name: string) => ({ name, type: { tensorType: { elemType: 1 } } });
  const graph: OpenGraph = await openGraph(
    writeModel({
      ...source,
      graph: {
        ...source.graph,
        node: kept,
        initializer: [...(source.graph.initializer ?? []), constant, axes],
        output: [output('bench/frozen'), output('bench/features')],
        valueInfo: [],
        input: (source.graph.input ?? []).filter(({ name }) => name === 'image'),
      },
    }),
  );
  return {
    async run(strip) {
      const outputs = await graph.run({ image: strip });
      const frozen = floatsIn(outputs, 'bench/frozen');
      return { steps: frozen.length, features: floatsIn(outputs, 'bench/features'), frozen };
    },
    close: graph.close,
  };
}

function neededFor(nodes: readonly Node[], outputs: readonly string[]): Node[] {
  const wanted = new Set(outputs);
  return nodes
    .toReversed()
    .filter(({ output = [], input = [] }) => {
      const isNeeded = output.some((name) => wanted.has(name));
      if (isNeeded) for (const name of input) wanted.add(name);
      return isNeeded;
    })
    .reverse();
}

function floatsOf({ rawData, floatData }: TensorProto): Float32Array {
  if (rawData === undefined || rawData.length === 0) return Float32Array.from(floatData ?? []);
  return new Float32Array(new Uint8Array(rawData).buffer);
}

function fail(reason: string): never {
  throw new Error(`the recogniser ${reason}`);
}
