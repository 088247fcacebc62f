import { type Attribute, AttributeType, type Model, type Node, type TensorProto } from '../proto/model.js';

/** A graph whose products exceed 16 bits, with its inputs and its exact outputs. */
export interface ProbeGraph {
  readonly model: Model;
  readonly feeds: Readonly<Record<string, { readonly dims: readonly number[]; readonly data: Uint8Array }>>;
  readonly expected: Readonly<Record<string, readonly number[]>>;
}

const types = { float32: 1, uint8: 2, int8: 3, int32: 6 } as const;
const [activation, smallest, greatest] = [255, -128, 127];
const depth = 64;
const conv = { channels: 16, side: 4, kernel: 3 } as const;
const positions = (conv.side - conv.kernel + 1) ** 2;
/** Steps of the convolution's output, so that its sums of both signs fit 8 bits. */
const convScale = (activation * -smallest * conv.channels * conv.kernel ** 2) / 100;
const convZero = 128;

/**
 * A matrix product and a convolution, which have kernels of their own, of the greatest uint8 and int8 numbers of either
 * sign. Where two products are added in 16 bits, each sum comes out at about half.
 */
export function probeGraph(): ProbeGraph {
  const weights = [greatest, smallest];
  const perFilter = conv.channels * conv.kernel ** 2;
  const sums = (count: number) => weights.map((weight) => activation * weight * count);
  const rows = Array.from({ length: depth }, () => weights).flat();
  const filters = weights.flatMap((weight) => Array.from({ length: perFilter }, () => weight));
  const image = [1, conv.channels, conv.side, conv.side];
  const initializer = [
    bytes('matrix', 'int8', [depth, 2], Int8Array.from(rows)),
    bytes('filters', 'int8', [2, conv.channels, conv.kernel, conv.kernel], Int8Array.from(filters)),
    bytes('zero', 'uint8', [], Uint8Array.of(0)),
    bytes('signed_zero', 'int8', [], Int8Array.of(0)),
    bytes('conv_zero', 'uint8', [], Uint8Array.of(convZero)),
    bytes('one', 'float32', [], Float32Array.of(1)),
    bytes('conv_scale', 'float32', [], Float32Array.of(convScale)),
  ];
  const convInputs = ['image', 'one', 'zero', 'filters', 'one', 'signed_zero', 'conv_scale', 'conv_zero'];
  const kernel = {
    name: 'kernel_shape',
    type: AttributeType.ints,
    ints: [conv.kernel, conv.kernel].map(BigInt),
  };
  const model: Model = {
    irVersion: 8n,
    opsetImport: [{ domain: '', version: 17n }],
    graph: {
      name: 'probe',
      node: [
        node('MatMulInteger', ['row', 'matrix', 'zero', 'signed_zero'], 'product'),
        node('QLinearConv', convInputs, 'convolved', [kernel]),
      ],
      initializer,
      input: [tensorInfo('row', 'uint8', [1, depth]), tensorInfo('image', 'uint8', image)],
      output: [tensorInfo('product', 'int32', [1, 2]), tensorInfo('convolved', 'uint8', [1, 2, 2, 2])],
    },
  };
  const full = (dims: readonly number[]) => ({
    dims,
    data: new Uint8Array(dims.reduce((product, side) => product * side, 1)).fill(activation),
  });
  return {
    model,
    feeds: { row: full([1, depth]), image: full(image) },
    expected: {
      product: sums(depth),
      convolved: sums(perFilter).flatMap((sum) =>
        Array.from({ length: positions }, () => Math.round(sum / convScale) + convZero),
      ),
    },
  };
}

function node(opType: string, input: readonly string[], output: string, attribute: Attribute[] = []): Node {
  return { opType, name: opType, input, output: [output], attribute };
}

function bytes(
  name: string,
  type: keyof typeof types,
  dims: readonly number[],
  { buffer }: Int8Array | Uint8Array | Float32Array,
): TensorProto {
  return { name, dims: dims.map(BigInt), dataType: types[type], rawData: new Uint8Array(buffer) };
}

function tensorInfo(name: string, type: keyof typeof types, dims: readonly number[]) {
  const dim = dims.map((side) => ({ dimValue: BigInt(side) }));
  return { name, type: { tensorType: { elemType: types[type], shape: { dim } } } };
}
