import fc from 'fast-check';
import { expect, test } from 'vitest';
import { floats, runGraph } from '../fixtures/run-graph.js';
import { ImportError } from '../import-error.js';
import { GraphBuilder } from './graph-builder.js';
import { concat, reshape, slice, tile, transpose } from './move.js';
import { asChannelsFirst, asDims } from './storage.js';
import { elementCount, type Value } from './value.js';

type Move = (builder: GraphBuilder, value: Value) => Value;

const dims = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 });

function counting(shape: readonly number[]): Float32Array {
  return Float32Array.from({ length: elementCount(shape) }, (_, index) => index + 1);
}

/** A move of a constant, of an input, and of an input stored channels first must give the same. */
async function expectSame(shape: readonly number[], move: Move): Promise<void> {
  const builder = new GraphBuilder();
  const folded = move(builder, builder.constant('float32', shape, counting(shape)));
  const given = builder.input('x', 'float32', shape);
  const moved = move(builder, given);
  builder.output('moved', moved, moved.dims);
  const stored = shape.length === 4 ? asChannelsFirst(builder, given) : given;
  builder.output('turned', asDims(builder, move(builder, stored)), moved.dims);
  const run = await runGraph(builder, { x: { dims: shape, data: counting(shape) } });
  const expected = [...(folded.constant ?? [])].map(Number);
  expect(folded.dims).toEqual(moved.dims);
  expect(run['moved']?.dims).toEqual([...folded.dims]);
  expect(floats(run['moved'])).toEqual(expected);
  expect(floats(run['turned'])).toEqual(expected);
}

test('a folded transpose equals the node', async () => {
  const cases = dims.chain((shape) =>
    fc.tuple(fc.constant(shape), fc.shuffledSubarray([...shape.keys()], { minLength: shape.length })),
  );
  await fc.assert(
    fc.asyncProperty(cases, ([shape, permutation]) =>
      expectSame(shape, (b, v) => transpose(b, v, permutation)),
    ),
    { numRuns: 25 },
  );
});

test('a transpose that equals a change of storage keeps its own meaning', () =>
  expectSame([3, 3, 3, 1], (b, v) => transpose(b, v, [0, 3, 1, 2])));

test('a folded slice equals the node, also backwards', async () => {
  const axis = fc.record({
    from: fc.nat(20),
    count: fc.nat(20),
    backwards: fc.boolean(),
    step: fc.integer({ min: 1, max: 2 }),
  });
  const cases = dims.chain((shape) =>
    fc.tuple(fc.constant(shape), fc.array(axis, { minLength: shape.length, maxLength: shape.length })),
  );
  await fc.assert(
    fc.asyncProperty(cases, ([shape, parts]) => {
      const begins = shape.map((side, at) => (parts[at]?.from ?? 0) % side);
      const steps = shape.map((_, at) => (parts[at]?.step ?? 1) * (parts[at]?.backwards ? -1 : 1));
      const sizes = shape.map((side, at) => {
        const begin = begins[at] ?? 0;
        const step = steps[at] ?? 1;
        const room = step > 0 ? Math.ceil((side - begin) / step) : Math.floor(begin / -step) + 1;
        return 1 + ((parts[at]?.count ?? 0) % room);
      });
      return expectSame(shape, (b, v) => slice(b, v, begins, sizes, steps));
    }),
    { numRuns: 40 },
  );
});

test('folded concat, tile and reshape equal the nodes', async () => {
  await fc.assert(
    fc.asyncProperty(dims, fc.nat(3), async (shape, at) => {
      const axis = at % shape.length;
      await expectSame(shape, (b, v) => concat(b, [v, v], axis));
      await expectSame(shape, (b, v) =>
        tile(
          b,
          v,
          shape.map((_, index) => (index === axis ? 2 : 1)),
        ),
      );
      await expectSame(shape, (b, v) => reshape(b, v, [-1]));
    }),
    { numRuns: 20 },
  );
});

test('shapes that do not fit are refused', () => {
  const builder = new GraphBuilder();
  const value = builder.constant('float32', [2, 3], new Float32Array(6));
  expect(() => reshape(builder, value, [4, -1])).toThrow(ImportError);
  expect(() => concat(builder, [value, builder.constant('float32', [3, 3], new Float32Array(9))], 1)).toThrow(
    ImportError,
  );
  expect(() => transpose(builder, value, [0, 0])).toThrow(ImportError);
  expect(() => builder.constant('float32', [2, 2], new Float32Array(3))).toThrow(ImportError);
});
