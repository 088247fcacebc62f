import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openProducts, type Products } from './products.js';

let products: Products;
beforeAll(async () => {
  products = await openProducts();
});
afterAll(() => products.close());

const side = fc.integer({ min: 1, max: 9 });
const value = fc.integer({ min: -8, max: 8 });
const values = (length: number) =>
  fc.array(value, { minLength: length, maxLength: length }).map((list) => Float32Array.from(list));
/** A sum of nothing but zeros may have either sign. */
const withoutSign = (floats: Float32Array) => Array.from(floats, (float) => float + 0);
const sides = fc.tuple(side, side, side);

test('are those of rows with columns, and of rows with rows', async () => {
  const pairs = sides.chain(([rows, depth, columns]) =>
    fc.record({
      a: values(rows * depth).map((data) => ({ data, rows, columns: depth })),
      b: values(columns * depth),
      columns: fc.constant(columns),
    }),
  );
  await fc.assert(
    fc.asyncProperty(pairs, async ({ a, b, columns }) => {
      const { rows, columns: depth } = a;
      const expected = (at: (column: number, index: number) => number) =>
        Array.from({ length: rows * columns }, (_, cell) => {
          const row = Math.floor(cell / columns);
          return Array.from(
            { length: depth },
            (_, index) => (a.data[row * depth + index] ?? 0) * (b[at(cell % columns, index)] ?? 0),
          ).reduce((sum, product) => sum + product, 0);
        });
      const plain = await products.multiply(a, { data: b, rows: depth, columns });
      expect(withoutSign(plain)).toEqual(expected((column, index) => index * columns + column));
      const ofRows = await products.multiplyRows(a, { data: b, rows: columns, columns: depth });
      expect(withoutSign(ofRows)).toEqual(expected((column, index) => column * depth + index));
    }),
  );
});

test('take a part of a larger array', async () => {
  const all = Float32Array.of(1, 2, 3, 4);
  const part = { data: all.subarray(2), rows: 1, columns: 2 };
  expect([...(await products.multiply(part, { data: all, rows: 2, columns: 2 }))]).toEqual([15, 22]);
});
