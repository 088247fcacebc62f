import { halfToNumber } from '../onnx/import/half-float.js';
import type { Graph, Node, TensorProto } from '../onnx/proto/model.js';
import type { ImageScale } from '../onnx/recipe.js';
import { scales } from './input.js';

/** Operators that leave the range of an image's numbers as it is. */
const passing = new Set([
  'Identity',
  'Cast',
  'Transpose',
  'Reshape',
  'Squeeze',
  'Unsqueeze',
  'Resize',
  'Pad',
  'DequantizeLinear',
]);
const maxSteps = 8;

/**
 * The preprocessing that is left to do where a graph begins with steps of its own, such as Keras' `Rescaling`; undefined where its
 * first computation says nothing.
 */
export function scaleInside(graph: Graph, input: string): ImageScale | undefined {
  const constants = constantsOf(graph);
  let name = input;
  for (let step = 0; step < maxSteps; step++) {
    const readers = (graph.node ?? []).filter((node) => node.input?.includes(name));
    const [node] = readers;
    if (node === undefined || readers.length > 1) return undefined;
    if (!passing.has(node.opType ?? '')) return scaleOf(node, name, constants);
    if (node.input?.[0] !== name) return undefined;
    name = node.output?.[0] ?? '';
  }
  return undefined;
}

type Constants = ReadonlyMap<string, readonly number[]>;

function scaleOf(node: Node, image: string, constants: Constants): ImageScale | undefined {
  const { opType: op = '', input = [] } = node;
  if (op === 'QuantizeLinear') return quantised(constants.get(input[1] ?? ''), constants.get(input[2] ?? ''));
  if (op === 'BatchNormalization') return byMean(constants.get(input[3] ?? ''));
  const numbers = constants.get(input.find((each) => each !== image) ?? '');
  if (numbers === undefined || numbers.length === 0) return undefined;
  const greatest = Math.max(...numbers.map(Math.abs));
  switch (op) {
    case 'Div':
      return input[0] === image && greatest >= 50 ? scales.bytes : undefined;
    case 'Mul':
      return greatest <= 0.02 ? scales.bytes : greatest > 200 && greatest < 300 ? scales.upTo1 : undefined;
    case 'Sub':
    case 'Add':
      return byMean(numbers);
    default:
      return undefined;
  }
}

/** A mean of bytes lies near 127, one of fractions near a half. */
function byMean(means: readonly number[] | undefined): ImageScale | undefined {
  if (means === undefined || means.length === 0) return undefined;
  const least = Math.min(...means.map(Math.abs));
  if (least > 20) return scales.bytes;
  return least >= 0.3 && Math.max(...means.map(Math.abs)) <= 0.6 ? scales.upTo1 : undefined;
}

/** By the range of numbers that 256 steps hold. */
function quantised(
  [scale = 0] = [] as readonly number[],
  [zero = 0] = [] as readonly number[],
): ImageScale | undefined {
  const lowest = zero < 0 ? -128 : 0;
  const [least, greatest] = [(lowest - zero) * scale, (lowest + 255 - zero) * scale];
  if (greatest > 50) return scales.bytes;
  const isNear = (a: number, b: number) => Math.abs(a - b) < 0.06;
  if (isNear(least, 0) && isNear(greatest, 1)) return scales.upTo1;
  return isNear(least, -1) && isNear(greatest, 1) ? scales.around0 : undefined;
}

function constantsOf({ node = [], initializer = [] }: Graph): Constants {
  const constants = new Map<string, readonly number[]>();
  for (const tensor of initializer) constants.set(tensor.name ?? '', numbersOf(tensor));
  for (const { opType, output, attribute = [] } of node) {
    if (opType !== 'Constant') continue;
    for (const { t, f, floats } of attribute)
      constants.set(output?.[0] ?? '', t ? numbersOf(t) : (floats ?? (f === undefined ? [] : [f])));
  }
  return constants;
}

/** Long lists are weights, and no preprocessing. */
const maxNumbers = 3;

function numbersOf({
  dims = [],
  dataType,
  rawData,
  floatData,
  int32Data,
  doubleData,
}: TensorProto): readonly number[] {
  const count = dims.reduce((product, side) => product * Number(side), 1);
  if (count < 1 || count > maxNumbers) return [];
  const raw = rawData === undefined || rawData.length === 0 ? undefined : new Uint8Array(rawData);
  const half = (list: ArrayLike<number>) => Array.from(list, halfToNumber);
  switch (dataType) {
    case 1:
      return raw ? [...new Float32Array(raw.buffer)] : (floatData ?? []);
    case 2:
      return raw ? [...raw] : (int32Data ?? []);
    case 3:
      return raw ? [...new Int8Array(raw.buffer)] : (int32Data ?? []);
    case 10:
      return half(raw ? new Uint16Array(raw.buffer) : (int32Data ?? []));
    case 11:
      return raw ? [...new Float64Array(raw.buffer)] : (doubleData ?? []);
    default:
      return [];
  }
}
