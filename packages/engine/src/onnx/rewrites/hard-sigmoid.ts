import type { Node } from '../proto/model.js';
import { singleNumber } from './float-tensor.js';
import { float, floatAttribute, nodeOf, opOf } from './node.js';
import type { Replacement, RewritableGraph } from './rewritable-graph.js';

/** Slope and offset of hard swish (Howard et al. 2019): clip(x + 3, 0, 6) / 6. */
const [slope, offset] = [1 / 6, 0.5];
/** Of numbers that exporters round to single precision or to a few digits. */
const tolerance = 1e-5;

/**
 * clip(x + 3, 0, 6) / 6 as HardSigmoid, and x * clip(x + 3, 0, 6) / 6 and the operator HardSwish as x * HardSigmoid(x): ONNX
 * Runtime runs both as part of the convolution that computes x.
 * @param node The division, or the HardSwish.
 */
export function writeHardSigmoid(graph: RewritableGraph, node: Node): Replacement | undefined {
  const [output] = node.output ?? [];
  if (output === undefined) return undefined;
  if (opOf(node) === 'HardSwish') return swish(graph, node.input?.[0] ?? '', output);
  const divided = sixthOf(graph, node);
  const clipped = shiftedClip(graph, divided);
  if (clipped !== undefined) return { nodes: [hardSigmoid(clipped, output)] };
  const product = graph.producerOf(divided);
  if (opOf(product) !== 'Mul' || graph.onlyReaderOf(divided) !== node) return undefined;
  const [first = '', second = ''] = product?.input ?? [];
  if (shiftedClip(graph, second) === first) return swish(graph, first, output);
  return shiftedClip(graph, first) === second ? swish(graph, second, output) : undefined;
}

/** x, where `node` is x * HardSigmoid(x) with the numbers of hard swish and nothing else reads that HardSigmoid. */
export function hardSwishInput(graph: RewritableGraph, node: Node): string | undefined {
  if (opOf(node) !== 'Mul') return undefined;
  return node.input?.find((name, at) => {
    const gate = graph.producerOf(node.input?.[1 - at]);
    if (gate === undefined || opOf(gate) !== 'HardSigmoid' || gate.input?.[0] !== name) return false;
    const [alpha, beta] = [floatAttribute(gate, 'alpha', 0.2), floatAttribute(gate, 'beta', 0.5)];
    const isThat = isNear(alpha, slope) && isNear(beta, offset);
    return isThat && graph.onlyReaderOf(gate.output?.[0]) === node;
  });
}

function swish(graph: RewritableGraph, x: string, output: string): Replacement {
  const gate = hardSigmoid(x, graph.freshName('gate'));
  return { nodes: [gate, nodeOf('Mul', [x, gate.output?.[0] ?? ''], output)] };
}

function hardSigmoid(x: string, output: string): Node {
  return nodeOf('HardSigmoid', [x], output, [float('alpha', slope), float('beta', offset)]);
}

/** x, where `node` is x / 6. */
function sixthOf(graph: RewritableGraph, node: Node): string | undefined {
  const [first, second] = node.input ?? [];
  if (opOf(node) === 'Div') return isNear(numberOf(graph, second), 6) ? first : undefined;
  if (opOf(node) !== 'Mul') return undefined;
  if (isNear(numberOf(graph, second), slope)) return first;
  return isNear(numberOf(graph, first), slope) ? second : undefined;
}

/** x, where `name` is clip(x + 3, 0, 6). */
function shiftedClip(graph: RewritableGraph, name: string | undefined): string | undefined {
  const clip = graph.producerOf(name);
  if (clip === undefined || opOf(clip) !== 'Clip') return undefined;
  const [shifted, minimum, maximum] = clip.input ?? [];
  const [low, high] =
    minimum === undefined && maximum === undefined
      ? [floatAttribute(clip, 'min', Number.NaN), floatAttribute(clip, 'max', Number.NaN)]
      : [minimum, maximum].map((limit) => numberOf(graph, limit));
  if (!isNear(low, 0) || !isNear(high, 6)) return undefined;
  const sum = graph.producerOf(shifted);
  if (opOf(sum) !== 'Add') return undefined;
  const [first, second] = sum?.input ?? [];
  if (isNear(numberOf(graph, second), 3)) return first;
  return isNear(numberOf(graph, first), 3) ? second : undefined;
}

/** A scalar, which changes no shape. */
function numberOf(graph: RewritableGraph, name: string | undefined): number | undefined {
  const { dims = [] } = graph.constant(name) ?? {};
  // Before the numbers are copied: weights have millions.
  return dims.length === 0 || (dims.length === 1 && dims[0] === 1n)
    ? singleNumber(graph.floats(name))
    : undefined;
}

function isNear(number: number | undefined, wanted: number): boolean {
  return number !== undefined && Math.abs(number - wanted) < tolerance;
}
