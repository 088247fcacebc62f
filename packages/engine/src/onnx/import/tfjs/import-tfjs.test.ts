import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GraphBuilder } from '../../graph/graph-builder.js';
import { asDims } from '../../graph/storage.js';
import { elementCount } from '../../graph/value.js';
import { ImportError } from '../../import-error.js';
import { writeModel } from '../../proto/codec.js';
import { NodeAttributes, readElementType } from './attributes.js';
import { type TinyGraph, toGraphModel } from './fixtures/tiny-graph.js';
import { type GraphNode, readGraphModel } from './graph-model.js';
import { declaredImageDims, importGraphModel, type TfjsSource } from './import-tfjs.js';
import { operators } from './registry.js';
import { readWeights } from './weights.js';

const base64 = (text: string) => Buffer.from(text).toString('base64');

function importY(source: TfjsSource, dims: readonly number[], freeSize = false) {
  const builder = new GraphBuilder(freeSize);
  const image = builder.input('x', 'float32', dims);
  const y = importGraphModel(builder, source, { input: 'x', image, outputs: ['y'] }).get('y');
  if (y === undefined) throw new Error('no y');
  builder.output('y', asDims(builder, y), y.dims);
  return { dims: y.dims, bytes: writeModel(builder.finish('test')) };
}

function graphOf(...nodes: GraphNode[]): TinyGraph {
  return { inputDims: [1, 4, 4, 3], weights: {}, nodes };
}

test('an operator that is missing is named with its node', () => {
  const graph = graphOf(
    { name: 'y', op: 'Identity', input: ['layer/odd'] },
    { name: 'layer/odd', op: 'Erfinv', input: ['x'] },
  );
  expect(() => importY(toGraphModel(graph), [1, 4, 4, 3])).toThrow(
    new ImportError('operator Erfinv of node layer/odd: this operator is not supported'),
  );
});

test('nodes before the cut are never read', () => {
  const graph = graphOf(
    { name: 'y', op: 'Relu', input: ['x', '^before'] },
    { name: 'before', op: 'Erfinv', input: [] },
  );
  expect(importY(toGraphModel(graph), [1, 4, 4, 3]).dims).toEqual([1, 4, 4, 3]);
});

test('loops, unknown nodes and missing inputs are reported', () => {
  const loop = graphOf({ name: 'y', op: 'Add', input: ['x', 'z'] }, { name: 'z', op: 'Relu', input: ['y'] });
  expect(() => importY(toGraphModel(loop), [1, 4, 4, 3])).toThrow(/stands in a loop/);
  expect(() =>
    importY(toGraphModel(graphOf({ name: 'y', op: 'Relu', input: ['gone'] })), [1, 4, 4, 3]),
  ).toThrow(/no node gone/);
  expect(() =>
    importY(toGraphModel(graphOf({ name: 'y', op: 'Relu', input: ['x:1'] })), [1, 4, 4, 3]),
  ).toThrow(/no output x:1/);
  expect(() => importY(toGraphModel(graphOf({ name: 'y', op: 'Add', input: ['x'] })), [1, 4, 4, 3])).toThrow(
    /input 1 is missing/,
  );
});

test('a free image size never becomes a constant of the graph', () => {
  const graph = graphOf({ name: 'y', op: 'Shape', input: ['x'] });
  expect(() => importY(toGraphModel(graph), [1, 4, 4, 3], true)).toThrow(/images of any size/);
});

test('attributes are read in every way converters have written them', () => {
  const node = (attr: NonNullable<GraphNode['attr']>) => new NodeAttributes({ name: 'n', op: 'Op', attr });
  expect(node({ padding: { s: base64('SAME') } }).text('padding', '')).toBe('SAME');
  expect(node({ padding: { s: [83, 65, 77, 69] } }).text('padding', '')).toBe('SAME');
  expect(node({ axis: { i: '-1' } }).integer('axis', 0)).toBe(-1);
  expect(node({ axis: { i: -1 } }).integer('axis', 0)).toBe(-1);
  for (const type of [1, 'DT_FLOAT', base64('DT_FLOAT')]) expect(readElementType(type)).toBe('float32');
  for (const type of [3, 'DT_INT32', base64('DT_INT32'), 9]) expect(readElementType(type)).toBe('int64');
});

test('weights stored in half precision and in steps are decoded to their numbers', () => {
  const weights = [
    { name: 'half', shape: [3], dtype: 'float32', quantization: { dtype: 'float16' } },
    { name: 'steps', shape: [2], dtype: 'float32', quantization: { dtype: 'uint8', scale: 0.5, min: -1 } },
    { name: 'whole', shape: [1], dtype: 'int32' },
  ];
  const shard = Uint8Array.from([0x00, 0x3c, 0x00, 0xc1, 0x00, 0xfc, 4, 255, 0xfe, 0xff, 0xff, 0xff]);
  const read = readWeights(new GraphBuilder(), [{ weights }], [shard.subarray(0, 5), shard.subarray(5)]);
  expect([...(read.get('half')?.constant ?? [])]).toEqual([1, -2.5, Number.NEGATIVE_INFINITY]);
  expect([...(read.get('steps')?.constant ?? [])]).toEqual([1, 126.5]);
  expect(read.get('whole')?.constant).toEqual(BigInt64Array.of(-2n));
  expect(() => readWeights(new GraphBuilder(), [{ weights }], [shard.subarray(0, 9)])).toThrow(
    /is a shard missing/,
  );
  expect(() => readWeights(new GraphBuilder(), [{ weights }], [shard, shard])).toThrow(
    /model.json describes 12/,
  );
});

test('the size of the image comes from the node where it enters', () => {
  const withShape = (attr: NonNullable<GraphNode['attr']>) => ({
    modelTopology: { node: [{ name: 'in', op: 'Placeholder', attr }] },
    weightsManifest: [],
  });
  const dim = (...sides: number[]) => ({ shape: { dim: sides.map((size) => ({ size: String(size) })) } });
  expect(declaredImageDims(withShape({ shape: dim(-1, 224, 192, 3) }), 'in')).toEqual([1, 224, 192, 3]);
  expect(declaredImageDims(withShape({ element_shape: dim(300, 300, 3) }), 'in')).toEqual([1, 300, 300, 3]);
  for (const sides of [
    [1, -1, -1, 3],
    [1, 1e6, 1e6, 3],
    [1, 8, 8, 4],
    [8, 8],
  ]) {
    expect(() => declaredImageDims(withShape({ shape: dim(...sides) }), 'in')).toThrow(ImportError);
  }
});

test('a damaged model.json is read or refused, never anything else', () => {
  const conv = { strides: { list: { i: ['1', '1', '1', '1'] } }, padding: { s: base64('SAME') } };
  const { model, shards } = toGraphModel({
    inputDims: [1, 4, 4, 3],
    weights: {
      w: {
        dims: [2, 2, 3, 4],
        data: Array.from({ length: elementCount([2, 2, 3, 4]) }, (_, index) => index),
      },
      shape: { dims: [2], data: [1, -1], dtype: 'int32' },
    },
    nodes: [
      { name: 'conv', op: 'Conv2D', input: ['x', 'w'], attr: conv },
      { name: 'y', op: 'Reshape', input: ['conv', 'shape'] },
    ],
  });
  const json = Buffer.from(JSON.stringify(model));
  const load = (bytes: Uint8Array) => {
    try {
      importY({ model: readGraphModel(bytes), shards }, [1, 4, 4, 3]);
    } catch (error) {
      expect(error).toBeInstanceOf(ImportError);
    }
  };
  expect(importY({ model: readGraphModel(json), shards }, [1, 4, 4, 3]).dims).toEqual([1, 64]);
  const digits = fc.constantFrom(...Buffer.from('0123456789-"[]{}:,xy'));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(json.length - 1), digits), { minLength: 1, maxLength: 3 }),
      (changes) => {
        const bytes = Uint8Array.from(json);
        for (const [at, byte] of changes) bytes[at] = byte;
        load(bytes);
      },
    ),
    { numRuns: 3000 },
  );
  fc.assert(
    fc.property(fc.nat(json.length), (end) => load(json.subarray(0, end))),
    { numRuns: 300 },
  );
});

test('any graph of known operators is converted or refused', () => {
  const whole = fc.integer({ min: -3, max: 9 });
  const attribute = fc.oneof(
    whole.map((i) => ({ i: String(i) })),
    fc.boolean().map((b) => ({ b })),
    fc.constantFrom('SAME', 'VALID', 'EXPLICIT', 'NHWC', 'NCHW').map((text) => ({ s: base64(text) })),
    fc.array(whole, { maxLength: 8 }).map((i) => ({ list: { i } })),
    fc.constantFrom(1, 3, 10, 19).map((type) => ({ type })),
    fc.constantFrom('BiasAdd', 'Relu6', 'Prelu').map((step) => ({ list: { s: [base64(step)] } })),
  );
  const names = [
    'strides',
    'padding',
    'ksize',
    'axis',
    'dilations',
    'explicit_paddings',
    'squeeze_dims',
    'keep_dims',
    'DstT',
  ];
  const masks = [
    'begin_mask',
    'end_mask',
    'shrink_axis_mask',
    'fused_ops',
    'data_format',
    'transpose_a',
    'align_corners',
  ];
  const source = fc.constantFrom('x', 'w', 'ints', 'scalar', 'huge', 'n0', 'n1', 'n2');
  const node = fc.record({
    op: fc.constantFrom(...operators.keys()),
    input: fc.array(source, { maxLength: 5 }),
    attr: fc.dictionary(fc.constantFrom(...names, ...masks), attribute, { maxKeys: 5 }),
  });
  const graph = fc.record({
    nodes: fc.array(node, { minLength: 1, maxLength: 4 }),
    ints: fc.array(fc.integer({ min: -4, max: 9 }), { maxLength: 8 }),
    scalar: fc.integer(),
  });
  fc.assert(
    fc.property(graph, ({ nodes, ints, scalar }) => {
      const numbers = Array.from({ length: 36 }, (_, index) => index - 9);
      const weights = {
        w: { dims: [2, 2, 3, 3], data: numbers },
        ints: { dims: [ints.length], data: ints, dtype: 'int32' as const },
        scalar: { dims: [], data: [scalar], dtype: 'int32' as const },
        huge: { dims: [4], data: [Number.POSITIVE_INFINITY, Number.NaN, -0, 3e38] },
      };
      const named = nodes.map((each, index) => ({
        ...each,
        name: index === nodes.length - 1 ? 'y' : `n${index}`,
      }));
      try {
        importY(toGraphModel({ inputDims: [1, 4, 4, 3], weights, nodes: named }), [1, 4, 4, 3]);
      } catch (error) {
        expect(error).toBeInstanceOf(ImportError);
      }
    }),
    { numRuns: 4000 },
  );
});
