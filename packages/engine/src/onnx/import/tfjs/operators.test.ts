import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { elementCount } from '../../graph/value.js';
import { runConverted, runOriginal, type TinyGraph, type Weight } from './fixtures/tiny-graph.js';
import type { GraphNode } from './graph-model.js';

/** Every operator on random numbers, compared with TensorFlow.js. */

type Attributes = NonNullable<GraphNode['attr']>;

const base64 = (text: string) => Buffer.from(text).toString('base64');
const list = (...numbers: number[]) => ({ list: { i: numbers.map(String) } });
const text = (value: string) => ({ s: base64(value) });
const flag = (b: boolean) => ({ b });
const ints = (...data: number[]): Weight => ({ dims: [data.length], data, dtype: 'int32' });
const scalar = (number: number, dtype: 'int32' | 'float32' = 'int32'): Weight => ({
  dims: [],
  data: [number],
  dtype,
});
const T = { type: 1 };

/** Numbers that repeat from run to run. */
function numbersOf(seed: number, count: number): number[] {
  let state = (seed >>> 0) + 1;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.round((state / 2 ** 32) * 8000 - 4000) / 1000;
  });
}

function weight(seed: number, ...dims: number[]): Weight {
  return { dims, data: numbersOf(seed, elementCount(dims)) };
}

/** One node `y` of `x` and weights. */
function oneNode(
  op: string,
  inputDims: readonly number[],
  weights: Record<string, Weight>,
  attr: Attributes,
): TinyGraph {
  return {
    inputDims,
    weights,
    nodes: [{ name: 'y', op, input: ['x', ...Object.keys(weights)], attr: { T, ...attr } }],
  };
}

async function expectAgreement(graph: TinyGraph, seed: number): Promise<void> {
  const input = Float32Array.from(numbersOf(seed, elementCount(graph.inputDims)));
  const original = await runOriginal(graph, input);
  for (const converted of await runConverted(graph, input)) {
    expect(converted.dims).toEqual(original.dims);
    const tolerance = 1e-4 * Math.max(1, ...original.numbers.map(Math.abs).filter(Number.isFinite));
    const apart = original.numbers.findIndex((number, index) => {
      const given = converted.numbers[index] ?? Number.NaN;
      return !(Object.is(given, number) || given === number || Math.abs(given - number) <= tolerance);
    });
    expect(
      apart,
      `number ${apart}: ${converted.numbers[apart]} where TF.js has ${original.numbers[apart]}`,
    ).toBe(-1);
  }
}

const side = fc.integer({ min: 3, max: 9 });
const window = {
  kernel: fc.integer({ min: 1, max: 3 }),
  stride: fc.integer({ min: 1, max: 2 }),
  padding: fc.constantFrom('SAME', 'VALID'),
};
type WindowCase = { kernel: number; stride: number; padding: string };
const windowAttributes = ({ stride, padding }: WindowCase): Attributes => ({
  strides: list(1, stride, stride, 1),
  padding: text(padding),
  data_format: text('NHWC'),
});
const image = { height: side, width: side, channels: fc.integer({ min: 1, max: 4 }), seed: fc.nat(1000) };

describe('convolutions', () => {
  test.each([
    ['Conv2D', []],
    ['_FusedConv2D', ['BiasAdd']],
    ['_FusedConv2D', ['BiasAdd', 'Relu']],
    ['_FusedConv2D', ['BiasAdd', 'Relu6']],
  ] as const)('%s %j gives the results of TF.js', async (op, fused) => {
    const cases = fc.record({
      ...image,
      ...window,
      out: fc.integer({ min: 1, max: 5 }),
      dilation: fc.integer({ min: 1, max: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async (each) => {
        const { height, width, channels, kernel, out, seed } = each;
        const dilation =
          each.stride === 1 && (kernel - 1) * each.dilation < Math.min(height, width) ? each.dilation : 1;
        const weights: Record<string, Weight> = { w: weight(seed, kernel, kernel, channels, out) };
        if (fused.length > 0) weights['b'] = weight(seed + 1, out);
        const steps =
          fused.length > 0 ? { fused_ops: { list: { s: fused.map(base64) } }, num_args: { i: '1' } } : {};
        const attributes = { ...windowAttributes(each), dilations: list(1, dilation, dilation, 1), ...steps };
        await expectAgreement(oneNode(op, [1, height, width, channels], weights, attributes), seed);
      }),
      { numRuns: 10 },
    );
  });

  test('DepthwiseConv2dNative gives the results of TF.js, with a multiplier too', async () => {
    const cases = fc.record({ ...image, ...window, multiplier: fc.integer({ min: 1, max: 2 }) });
    await fc.assert(
      fc.asyncProperty(cases, async (each) => {
        const { height, width, channels, kernel, multiplier, seed } = each;
        const weights = { w: weight(seed, kernel, kernel, channels, multiplier) };
        const attributes = { ...windowAttributes(each), dilations: list(1, 1, 1, 1) };
        await expectAgreement(
          oneNode('DepthwiseConv2dNative', [1, height, width, channels], weights, attributes),
          seed,
        );
      }),
      { numRuns: 12 },
    );
  });

  test('FusedBatchNormV3 and BiasAdd give the results of TF.js', async () => {
    const variance = { dims: [3], data: [0.5, 2, 0.1] };
    const norm = { scale: weight(1, 3), offset: weight(2, 3), mean: weight(3, 3), variance };
    const attributes = { epsilon: { f: 0.001 }, data_format: text('NHWC'), is_training: flag(false) };
    await expectAgreement(oneNode('FusedBatchNormV3', [1, 4, 5, 3], norm, attributes), 9);
    await expectAgreement(
      oneNode('BiasAdd', [1, 4, 5, 3], { b: weight(4, 3) }, { data_format: text('NHWC') }),
      9,
    );
  });
});

test.each(['MaxPool', 'AvgPool'])('%s gives the results of TF.js', async (op) => {
  await fc.assert(
    fc.asyncProperty(fc.record({ ...image, ...window }), async (each) => {
      const attributes = { ...windowAttributes(each), ksize: list(1, each.kernel, each.kernel, 1) };
      await expectAgreement(
        oneNode(op, [1, each.height, each.width, each.channels], {}, attributes),
        each.seed,
      );
    }),
    { numRuns: 12 },
  );
});

test.each(['ResizeBilinear', 'ResizeNearestNeighbor'])(
  '%s aligns pixels as TF.js does in all three modes',
  async (op) => {
    const ways = fc.constantFrom(
      ...([
        [false, false],
        [true, false],
        [false, true],
      ] as [boolean, boolean][]),
    );
    const cases = fc.record({
      ...image,
      toHeight: fc.integer({ min: 2, max: 20 }),
      toWidth: fc.integer({ min: 2, max: 20 }),
      ways,
    });
    await fc.assert(
      fc.asyncProperty(
        cases,
        async ({ height, width, channels, seed, toHeight, toWidth, ways: [align, half] }) => {
          const attributes = { align_corners: flag(align), half_pixel_centers: flag(half) };
          await expectAgreement(
            oneNode(op, [1, height, width, channels], { size: ints(toHeight, toWidth) }, attributes),
            seed,
          );
        },
      ),
      { numRuns: 25 },
    );
  },
);

test.each(['Mean', 'Max', 'Min'])('%s gives the results of TF.js over any axes', async (op) => {
  const cases = fc.record({
    axes: fc.subarray([0, 1, 2, 3], { minLength: 1 }),
    keep: fc.boolean(),
    seed: fc.nat(1000),
  });
  await fc.assert(
    fc.asyncProperty(cases, ({ axes, keep, seed }) =>
      expectAgreement(
        oneNode(op, [1, 3, 4, 5], { axes: ints(...axes) }, { keep_dims: flag(keep), Tidx: { type: 3 } }),
        seed,
      ),
    ),
    { numRuns: 10 },
  );
});

test.each(['Add', 'AddV2', 'Sub', 'Mul', 'RealDiv', 'Maximum', 'Minimum'])(
  '%s broadcasts as in TF.js',
  async (op) => {
    for (const dims of [[], [1], [3], [5, 3], [4, 5, 3], [1, 4, 1, 3], [1, 1, 5, 1]]) {
      await expectAgreement(oneNode(op, [1, 4, 5, 3], { w: weight(7, ...dims) }, {}), 3);
    }
  },
);

test.each(['Relu', 'Relu6', 'Sigmoid', 'Exp', 'Neg', 'Abs', 'Tanh', 'Elu', 'Floor', 'Softmax'])(
  '%s gives the results of TF.js',
  async (op) => {
    await expectAgreement(oneNode(op, [1, 4, 5, 3], {}, {}), 5);
  },
);

test('a hard swish, however its constants are written, gives the results of TF.js', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(1000), fc.constantFrom(1 / 6, 0.1666259765625, 0.2), async (seed, sixth) => {
      const conv = {
        strides: list(1, 1, 1, 1),
        padding: text('SAME'),
        data_format: text('NHWC'),
        dilations: list(1, 1, 1, 1),
      };
      const nodes: GraphNode[] = [
        { name: 'a', op: 'Conv2D', input: ['x', 'w'], attr: { T, ...conv } },
        { name: 'shifted', op: 'AddV2', input: ['a', 'three'], attr: { T } },
        { name: 'six', op: 'Relu6', input: ['shifted'], attr: { T } },
        { name: 'part', op: 'Mul', input: ['sixth', 'a'], attr: { T } },
        { name: 'swish', op: 'Mul', input: ['part', 'six'], attr: { T } },
        { name: 'b', op: 'Conv2D', input: ['swish', 'w'], attr: { T, ...conv } },
        { name: 'y', op: 'AddV2', input: ['b', 'swish'], attr: { T } },
      ];
      const weights = {
        w: weight(seed, 3, 3, 2, 2),
        three: scalar(3, 'float32'),
        sixth: scalar(sixth, 'float32'),
      };
      await expectAgreement({ inputDims: [1, 5, 6, 2], weights, nodes }, seed);
    }),
    { numRuns: 6 },
  );
});

test('StridedSlice gives the results of TF.js with every mask', async () => {
  const position = fc.integer({ min: -5, max: 5 });
  const four = <Each>(each: fc.Arbitrary<Each>) => fc.tuple(each, each, each);
  const cases = fc.record({
    begin: four(position),
    extent: four(fc.integer({ min: 1, max: 4 })),
    step: four(fc.integer({ min: 1, max: 2 })),
    masks: fc.tuple(fc.nat(7), fc.nat(7), fc.nat(7)),
    seed: fc.nat(1000),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ begin, extent, step, masks, seed }) => {
      const dims = [4, 5, 6];
      const first = begin.map(
        (at, axis) => ((at % (dims[axis] ?? 1)) + (dims[axis] ?? 1)) % (dims[axis] ?? 1),
      );
      const end = first.map((at, axis) => at + (extent[axis] ?? 1));
      const [beginMask, endMask, shrink] = masks;
      const attributes = {
        begin_mask: { i: String(beginMask & ~shrink) },
        end_mask: { i: String(endMask & ~shrink) },
        shrink_axis_mask: { i: String(shrink) },
        ellipsis_mask: { i: '0' },
        new_axis_mask: { i: '0' },
        Index: { type: 3 },
      };
      // TF.js's own kernel errs when an axis is dropped while another is stepped through.
      const steps = step.map((each) => (shrink === 0 ? each : 1));
      const weights = { begin: ints(...first), end: ints(...end), steps: ints(...steps) };
      await expectAgreement(oneNode('StridedSlice', dims, weights, attributes), seed);
    }),
    { numRuns: 25 },
  );
});

test('shapes are changed as in TF.js', async () => {
  const dims = [1, 4, 5, 3];
  await expectAgreement(oneNode('Reshape', dims, { shape: ints(1, -1, 3) }, {}), 1);
  await expectAgreement(oneNode('ExpandDims', dims, { axis: scalar(2) }, {}), 1);
  await expectAgreement(oneNode('Squeeze', dims, {}, { squeeze_dims: list(0) }), 1);
  await expectAgreement(oneNode('Transpose', dims, { perm: ints(3, 1, 0, 2) }, {}), 1);
  await expectAgreement(oneNode('Tile', dims, { repeats: ints(2, 1, 1, 2) }, {}), 1);
  await expectAgreement(oneNode('Slice', dims, { begin: ints(0, 1, 0, 2), size: ints(1, 2, -1, 1) }, {}), 1);
  await expectAgreement(
    oneNode('ConcatV2', dims, { w: weight(2, 1, 4, 5, 2), axis: scalar(-1) }, { N: { i: '2' } }),
    1,
  );
  await expectAgreement(
    oneNode('Pack', [2, 3], { w: weight(2, 2, 3) }, { axis: { i: '1' }, N: { i: '2' } }),
    1,
  );
  await expectAgreement(
    oneNode(
      'PadV2',
      dims,
      {
        pads: { dims: [4, 2], data: [0, 0, 1, 2, 0, 1, 0, 0], dtype: 'int32' },
        filling: scalar(Number.NEGATIVE_INFINITY, 'float32'),
      },
      {},
    ),
    1,
  );
});

test('the outputs of Unpack are distinguished', async () => {
  const nodes: GraphNode[] = [
    { name: 'parts', op: 'Unpack', input: ['x'], attr: { T, num: { i: '3' }, axis: { i: '1' } } },
    { name: 'y', op: 'Sub', input: ['parts:2', 'parts'], attr: { T } },
  ];
  await expectAgreement({ inputDims: [4, 3], weights: {}, nodes }, 1);
});

test('shape arithmetic ends in constants', async () => {
  const nodes: GraphNode[] = [
    { name: 'shape', op: 'Shape', input: ['x'], attr: { T } },
    {
      name: 'rows',
      op: 'StridedSlice',
      input: ['shape', 'one', 'two', 'one'],
      attr: { shrink_axis_mask: { i: '1' }, T: { type: 3 } },
    },
    { name: 'more', op: 'Mul', input: ['rows', 'five'], attr: { T: { type: 3 } } },
    {
      name: 'target',
      op: 'Pack',
      input: ['more', 'three'],
      attr: { axis: { i: '0' }, N: { i: '2' }, T: { type: 3 } },
    },
    { name: 'y', op: 'Reshape', input: ['x', 'target'], attr: { T, Tshape: { type: 3 } } },
  ];
  const weights = { one: ints(1), two: ints(2), five: scalar(5), three: scalar(3) };
  await expectAgreement({ inputDims: [1, 4, 5, 3], weights, nodes }, 1);
});

test('matrices multiply as in TF.js, transposed or not', async () => {
  const attributes = (a: boolean, b: boolean) => ({ transpose_a: flag(a), transpose_b: flag(b) });
  await expectAgreement(oneNode('MatMul', [3, 4], { w: weight(1, 4, 2) }, attributes(false, false)), 1);
  await expectAgreement(oneNode('MatMul', [4, 3], { w: weight(1, 2, 4) }, attributes(true, true)), 1);
  const fused = {
    ...attributes(false, false),
    fused_ops: { list: { s: [base64('BiasAdd'), base64('Relu')] } },
    num_args: { i: '1' },
  };
  await expectAgreement(oneNode('_FusedMatMul', [3, 4], { w: weight(1, 4, 2), b: weight(2, 2) }, fused), 1);
});
