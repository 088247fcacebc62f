import type { Node } from '../proto/model.js';
import { floatTensor } from './float-tensor.js';
import { integer, integerAttribute, nodeOf, opOf } from './node.js';
import type { Replacement, RewritableGraph } from './rewritable-graph.js';

/** `TensorProto.DataType`. */
const float32 = 1;
/**
 * QuantizeLinear rounds halves to even numbers. Divided by this, they are more than halves; other averages of up to 300 steps
 * stay on their side.
 */
const justBelowOne = 1 - 1e-5;

/**
 * An average pool between 8-bit steps of one scale, as the average of the steps themselves in floats. ONNX Runtime would merge
 * DequantizeLinear, AveragePool and QuantizeLinear into an operator that takes ten times as long; a cast it leaves alone. An
 * average half way between two steps becomes the one farther from 0, as in TFLite's kernels; with DequantizeLinear the rounding
 * of the scale decides.
 * @param node The QuantizeLinear.
 */
export function averagePoolInFloats(graph: RewritableGraph, node: Node): Replacement | undefined {
  const [average, ...to] = node.input ?? [];
  const pool = graph.producerOf(average);
  const before = graph.producerOf(pool?.input?.[0]);
  const [output] = node.output ?? [];
  if (opOf(node) !== 'QuantizeLinear' || pool === undefined || before === undefined) return undefined;
  if (opOf(pool) !== 'AveragePool' || opOf(before) !== 'DequantizeLinear' || output === undefined)
    return undefined;
  if (graph.onlyReaderOf(average) !== node || integerAttribute(pool, 'count_include_pad', 0) !== 0)
    return undefined;
  const [steps = '', ...from] = before.input ?? [];
  const { dataType } = graph.constant(to[1]) ?? {};
  if (!isSameScale(graph, from, to) || dataType === undefined) return undefined;
  const one = floatTensor(graph.freshName('one'), [], [justBelowOne]);
  const zero = { name: graph.freshName('zero'), dims: [], dataType, rawData: new Uint8Array(1) };
  const numbers = nodeOf('Cast', [steps], graph.freshName('steps'), [integer('to', float32)]);
  const averages = { ...pool, input: numbers.output ?? [], output: [graph.freshName('average')] };
  const rounded = nodeOf('QuantizeLinear', [...averages.output, one.name ?? '', zero.name], output);
  return { nodes: [numbers, averages, rounded], constants: [one, zero] };
}

function isSameScale(graph: RewritableGraph, from: readonly string[], to: readonly string[]): boolean {
  const [scale, otherScale] = [from[0], to[0]].map((name) => graph.floats(name));
  const [point, otherPoint] = [from[1], to[1]].map((name) => graph.constant(name));
  if (scale?.data.length !== 1 || otherScale?.data.length !== 1 || scale.data[0] !== otherScale.data[0])
    return false;
  if (point === undefined || otherPoint === undefined || point.dataType !== otherPoint.dataType) return false;
  const [element, other] = [point, otherPoint].map(
    ({ rawData, int32Data }) => rawData?.[0] ?? int32Data?.[0],
  );
  return element !== undefined && element === other && [2, 3].includes(point.dataType ?? 0);
}
