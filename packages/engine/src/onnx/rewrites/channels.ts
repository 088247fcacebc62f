import type { Node, TensorProto } from '../proto/model.js';
import { opOf } from './node.js';
import type { RewritableGraph } from './rewritable-graph.js';

/** Operators whose output has the channels of their first input. */
const keeping = new Set(
  `Relu Clip Sigmoid Tanh HardSigmoid HardSwish LeakyRelu PRelu MaxPool AveragePool GlobalAveragePool BatchNormalization
   Resize`.split(/\s+/),
);
const combining = new Set(['Add', 'Sub', 'Mul', 'Div']);
/** Longer ways back than this do not occur between two convolutions. */
const maxSteps = 24;

/**
 * Channels of a map [n,channels,height,width] of floats, where it comes from a convolution by way of operators that keep
 * them; undefined for all other values.
 */
export function channelsOf(graph: RewritableGraph, name: string | undefined): number | undefined {
  return channelsWithin(graph, name, maxSteps, new Map());
}

/** @param known Values that were looked at before: two ways that part may meet again, many times. */
function channelsWithin(
  graph: RewritableGraph,
  name: string | undefined,
  steps: number,
  known: Map<string, number | undefined>,
): number | undefined {
  const producer = graph.producerOf(name);
  if (name === undefined || producer === undefined || steps === 0) return undefined;
  if (!known.has(name)) known.set(name, channelsFrom(graph, producer, steps, known));
  return known.get(name);
}

function channelsFrom(
  graph: RewritableGraph,
  producer: Node,
  steps: number,
  known: Map<string, number | undefined>,
): number | undefined {
  const op = opOf(producer);
  if (op === 'Conv') return filtersOf(graph, producer);
  const inputs = producer.input ?? [];
  if (keeping.has(op)) return channelsWithin(graph, inputs[0], steps - 1, known);
  if (!combining.has(op)) return undefined;
  const constants = inputs.map((input) => graph.constant(input)).filter((tensor) => tensor !== undefined);
  const maps = [...new Set(inputs.filter((input) => graph.constant(input) === undefined))];
  const [channels, ...others] = maps.map((map) => channelsWithin(graph, map, steps - 1, known));
  if (channels === undefined || others.some((other) => other !== channels)) return undefined;
  return constants.every((tensor) => isNoWider(tensor, channels)) ? channels : undefined;
}

/** Whether a constant that is combined with a map of so many channels leaves it its shape. */
function isNoWider({ dims = [] }: TensorProto, channels: number): boolean {
  const [side = 1n, ...others] = dims.slice(-3);
  return (
    dims.slice(0, -3).every((outer) => outer === 1n) &&
    dims.length <= 4 &&
    (dims.length < 3 ? dims : others).every((inner) => inner === 1n) &&
    (dims.length < 3 || side === 1n || side === BigInt(channels))
  );
}

function filtersOf(graph: RewritableGraph, { input = [] }: Node): number | undefined {
  const weights = graph.constant(input[1]);
  const [filters, ...others] = weights?.dims ?? [];
  return weights?.dataType === 1 && others.length === 3 ? Number(filters) : undefined;
}

/**
 * Whether a convolution of each channel by itself stays in the blocked order (NCHWc) of ONNX Runtime: its blocks have 16
 * channels with AVX512 and 8 without.
 */
export function fillsBlocks(channels: number | undefined): channels is number {
  return channels !== undefined && channels > 0 && channels % 16 === 0;
}
